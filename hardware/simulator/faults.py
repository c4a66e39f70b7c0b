"""Faults on demand, from code: each is one function that breaks one thing.

Law: a fault changes what the hardware does, never what a program knows. Every function returns
how to undo it, so that a fault can last for a while.
"""

from collections.abc import Callable

from hardware.simulator import registers as r
from hardware.simulator.tag import Tag
from hardware.simulator.world import World, tag_of

Undo = Callable[[], None]


def silence_reader(world: World, reader: int, byte: int = 0x00) -> Undo:
    """Have a board answer the same byte to everything: 00h without power, FFh without a wire."""
    board = world.boards[reader]

    def answer(value: int | None) -> None:
        world.settle()
        board.dead = value
        if value is not None:
            board.chip.reset()
        world.bus.update_faults()

    answer(byte)
    return lambda: answer(None)


def grips_miso(world: World, reader: int) -> Undo:
    """Have a board go on driving MISO when another is selected."""
    board = world.boards[reader]

    def grip(grips: bool) -> None:
        board.grips, board.last_level = grips, 0x00
        world.bus.update_faults()

    grip(True)
    return lambda: grip(False)


def brown_out(world: World, reader: int) -> Undo:
    """Dip the supply: every register is back at its reset value, and the version reads well."""
    world.settle()
    world.chips[reader].reset()
    return _undo_nothing


def crypto_stuck(world: World, reader: int) -> Undo:
    """Switch the crypto unit on, so that tags understand no frame."""
    regs = world.chips[reader].regs
    regs[r.STATUS2] |= r.CRYPTO_ON

    def undo() -> None:
        regs[r.STATUS2] &= ~r.CRYPTO_ON

    return undo


def antenna_cut(world: World, reader: int) -> Undo:
    """Break the coil: the chip is well and hears nothing any more."""
    world.settle()
    antenna = world.field.antennas[reader]
    antenna.set_cut(True)
    return lambda: antenna.set_cut(False)


def frame_loss(world: World, reader: int, rate: float) -> Undo:
    """Lose frames, in each direction, at a rate."""
    noise = world.field.antennas[reader].noise
    noise.set_rates(frame_loss=rate)
    return lambda: noise.set_rates(frame_loss=0)


def bit_errors(world: World, reader: int, rate: float) -> Undo:
    """Damage bits of answers at a rate."""
    noise = world.field.antennas[reader].noise
    noise.set_rates(bit_errors=rate)
    return lambda: noise.set_rates(bit_errors=0)


def slow_wires(world: World, hz: float) -> Undo:
    """Have the bus carry bits unharmed only up to a speed."""
    was, world.bus.clean_hz = world.bus.clean_hz, int(hz)

    def undo() -> None:
        world.bus.clean_hz = was

    return undo


def slide_to_edge(world: World, uid: str, coupling: float = 0.2) -> Undo:
    """Slide a tag to the edge of every field it lies in."""
    tag = lying_tag(world, uid)
    were = world.field.tag_couplings(tag)

    def slide(couplings: dict[int, float]) -> None:
        for reader in world.field.tag_couplings(tag):
            world.field.place_tag(tag, reader, couplings.get(reader, 1.0))

    slide(dict.fromkeys(were, coupling))
    return lambda: slide(were)


def add_twin(world: World, uid: str, reader: int) -> Undo:
    """Lay a second tag with the same UID on a reader, as near as the first lies to its own."""
    second = tag_of(uid)
    nearest = max(world.field.tag_couplings(lying_tag(world, uid)).values())
    world.field.place_tag(second, reader, nearest)
    return lambda: world.field.remove_tag(second)


def set_bounces(world: World, seat: int, times: int) -> Undo:
    """Have a button's contact open again so often before it rests."""
    button = world.buttons[seat]
    button.bounces = times

    def undo() -> None:
        button.bounces = 0

    return undo


def jam_button(world: World, seat: int) -> Undo:
    """Have a button's contact stay closed."""
    world.buttons[seat].jam()
    return world.buttons[seat].free


def lying_tag(world: World, uid: str) -> Tag:
    """Return the tag with this UID that came to the table first."""
    data = bytes.fromhex(uid)
    for antenna in world.field.antennas:
        for tag in world.tags_on(antenna.number):
            if tag.uid == data:
                return tag
    raise LookupError(f"No tag {uid} lies on the table.")


def _undo_nothing() -> None:
    """Undo a fault that ends by itself."""
