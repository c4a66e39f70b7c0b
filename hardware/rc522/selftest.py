"""The chip's own self-test, data sheet 16.1.1: sixty-four bytes it must compute right.

Law: only the doctor asks for it. The chip is useless afterwards until it is started again.
"""

from typing import Literal

from hardware.clock import Clock
from hardware.rc522.chip import Chip

Verdict = Literal["passed", "failed", "no reference"]
PCD_MEM = 0x01
SELF_TEST = 0x09
ANSWER = 64
LONGEST = 0.02

REFERENCES = {
    0x90: "0087980f49ff0719bf2230495963adca7fe34e035c4e4950479a3761e7e2c62e"
    "755aed043d024b7832ff583b7ce90094b44a595bfdc929df3596989e4f30328d",
    0x91: "00c637d532b7575cc2d87c4dd970c77310e6d2aa5ea13e5a14af3061c970db2e"
    "642272b5bd65f4ec22bcd37235cdaa411fa7f35314de7e02d90fb55e251d2979",
    0x92: "00eb66ba57bf2395d0e30d3d27895cde9d3ba700215b8982513aeb020ca50049"
    "7c844db3ccd21b815d4876d5716121a986968338cf9d5b6ddc15ba3e7d953b2f",
    0x88: "00d6788ce2aa0c182ab87a7fd36acf0bb137634b69ae91c7c397ae77f437d79b"
    "7cf53c118f15c3d7c15b002ad075de9e5164ab3ee915b5ab569a988226ea2a62",
}


def run_self_test(chip: Chip, clock: Clock) -> Verdict:
    """Run the self-test and compare its bytes; makes without published bytes have no reference."""
    answer = _run_test_command(chip, clock)
    reference = REFERENCES.get(chip.version)
    if reference is None:
        return "no reference"
    return "passed" if answer == bytes.fromhex(reference) else "failed"


def _run_test_command(chip: Chip, clock: Clock) -> bytes:
    chip.start()
    stock, write = chip.link.stock, chip.link.write_register
    write(stock.CommandReg, stock.PCD_IDLE)
    write(stock.FIFOLevelReg, 0x80)
    write(stock.FIFODataReg, *[0] * 25)
    write(stock.CommandReg, PCD_MEM)
    write(stock.AutoTestReg, SELF_TEST)
    write(stock.FIFODataReg, 0)
    write(stock.CommandReg, stock.PCD_CALCCRC)
    answer = _collect_bytes(chip, clock)
    write(stock.CommandReg, stock.PCD_IDLE)
    write(stock.AutoTestReg, 0)
    chip.start()
    return answer


def _collect_bytes(chip: Chip, clock: Clock) -> bytes:
    """Wait for a full FIFO, as the interrupt bits mean nothing here, and read it."""
    stock = chip.link.stock
    deadline = clock.monotonic() + LONGEST
    while clock.monotonic() < deadline:
        if chip.link.read_registers(stock.FIFOLevelReg)[0] >= ANSWER:
            return bytes(chip.link.read_registers(*[stock.FIFODataReg] * ANSWER))
        clock.sleep(0.001)
    return b""
