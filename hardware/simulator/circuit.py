"""The wires of a table as they were soldered: joints and connections.

Laws: a wire leads from joint to joint in the order of the drawing, and each joint hangs on it by
its solder. Nothing here knows which connection is right: voltages follow from what is connected.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.wiring.joints import Joint, list_nets
from hardware.wiring.wires import Wiring

FIVE_VOLTS, GROUND, REGULATED, PI_3V3 = "J-P-2", "J-P-6", "J-VR-OUT", "J-P-1"
OTHER_GROUNDS = ("J-P-9", "J-P-14", "J-P-20", "J-P-25", "J-P-30", "J-P-34", "J-P-39")
WORKS_FROM = 2.5
"""Least volts that a chip of the table works at."""

Node = tuple[str, int]
"""A joint (its name and 0), or the wire at it (its name and the number of the wire)."""


class Circuit:
    """The joints of a wiring, by their names in the drawing, and the connections between them."""

    def __init__(self, wiring: Wiring) -> None:
        self._wires = [[joint.name for joint in net.joints] for net in list_nets(wiring)]
        self._links: set[frozenset[Node]] = set()
        self._lead: tuple[frozenset[Node], ...] = ()
        self._found: dict[str, frozenset[str]] = {}
        for number, wire in enumerate(self._wires, start=1):
            self._links |= {_solder_link(name, number) for name in wire}
            for one, other in pairwise(wire):
                self._links.add(frozenset({(one, number), (other, number)}))
        for ground in OTHER_GROUNDS:
            self.bridge_joints(GROUND, ground)
        self.bridge_joints(PI_3V3, "J-P-17")
        for joint in {joint for net in list_nets(wiring) for joint in net.joints}:
            if joint.part.startswith("R") and joint.pin == "1" and joint.part[1:4] != "SDA":
                self.bridge_joints(joint.name, Joint(joint.part, "2").name)  # through the resistor

    # What a solderer does

    def leave_open(self, *joints: str) -> None:
        """Leave joints without solder."""
        self._found.clear()
        for joint in joints:
            self._links.discard(_solder_link(joint, self._wire_of(joint)))

    def break_before(self, joint: str) -> None:
        """Break the wire that comes to a joint from the one before it."""
        self._found.clear()
        number = self._wire_of(joint)
        wire = self._wires[number - 1]
        before = wire[wire.index(joint) - 1]
        self._links.discard(frozenset({(before, number), (joint, number)}))

    def bridge_joints(self, one: str, other: str) -> None:
        """Bridge two joints with solder."""
        self._found.clear()
        self._links.add(frozenset({(one, 0), (other, 0)}))

    def swap_wires(self, one: str, other: str) -> None:
        """Solder the wires of two joints to each other's."""
        self._found.clear()
        first, second = self._wire_of(one), self._wire_of(other)
        self.leave_open(one, other)
        self._links |= {
            frozenset({(one, 0), (other, second)}),
            frozenset({(other, 0), (one, first)}),
        }

    def move_joint(self, joint: str, onto: str) -> None:
        """Solder a joint to another instead of to its wire."""
        self.leave_open(joint)
        self.bridge_joints(joint, onto)

    def turn_part(self, part: str, opposite: Mapping[str, str]) -> None:
        """Put a part in the other way round: each pin where the one opposite belongs."""
        names = {Joint(part, a).name: Joint(part, b).name for a, b in opposite.items()}
        wired = {name for wire in self._wires for name in wire}.intersection(names)
        self.leave_open(*wired)
        for name in wired:
            self._links.add(frozenset({(names[name], 0), (name, self._wire_of(name))}))

    def lay_lead(self, one: str, other: str) -> None:
        """Hold a loose lead to two joints; the one held before is taken away."""
        self._found.clear()
        self._lead = (frozenset({(one, 0), (other, 0)}),)

    def take_lead(self) -> None:
        """Take the loose lead away."""
        self._found.clear()
        self._lead = ()

    # What follows

    def connected_joints(self, joint: str) -> frozenset[str]:
        """Return every joint that is connected to this one, itself included."""
        if joint not in self._found:
            found, edge = {(joint, 0)}, [(joint, 0)]
            while edge:
                news = set(self._linked_nodes(edge.pop())) - found
                found |= news
                edge += news
            names = frozenset(name for name, number in found if not number)
            self._found.update(dict.fromkeys(names, names))
        return self._found[joint]

    def volts_at(self, joint: str) -> float | None:
        """Return the voltage of a joint by the supply it is connected to, ground before any other;
        None if there is none."""
        reached = self.connected_joints(joint)
        if GROUND in reached:
            return 0.0
        if FIVE_VOLTS in reached:
            return 5.0
        if REGULATED in reached:
            return 3.3 if self._is_regulated() else 0.0
        return 3.3 if PI_3V3 in reached else None

    def is_powered(self, high: str, low: str) -> bool:
        """Return whether a part with these two joints has a supply to work from."""
        above, below = self.volts_at(high), self.volts_at(low)
        return above is not None and below is not None and above - below >= WORKS_FROM

    def _is_regulated(self) -> bool:
        return FIVE_VOLTS in self.connected_joints("J-VR-IN") and GROUND in self.connected_joints(
            "J-VR-GND"
        )

    def _wire_of(self, joint: str) -> int:
        """Return the number of the wire that the drawing leads to a joint."""
        return 1 + next(n for n, wire in enumerate(self._wires) if joint in wire)

    def _linked_nodes(self, node: Node) -> Iterator[Node]:
        for link in (*self._links, *self._lead):
            if node in link:
                yield from link - {node}


def _solder_link(joint: str, wire: int) -> frozenset[Node]:
    """Return the link between a joint and its wire."""
    return frozenset({(joint, 0), (joint, wire)})
