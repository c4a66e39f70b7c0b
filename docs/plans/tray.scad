// The tray at a place: a corner stop for the pile. With tap the reader lies beside it (place-tap.svg),
// without it the reader lies under the middle of the cards (place.svg). All lengths are millimetres.

card = [63, 88];        // without its sleeve
sleeve = [3, 3];        // how much wider and higher a card is in its sleeve
play = 0.6;             // how much wider than the sleeved card the place is
wall = 5;               // width of the stop along two edges
height = 6;             // of the stop above the floor; four sleeved cards are 2.4 high
tap = true;             // whether the reader lies beside the tray, not under it
floor = tap ? 0.8 : 0;  // between card and table; none over a reader
board = 40;             // width of the reader module, with tap
gap = 8;                // between tray and module, with tap
pitch = tap ? 125 : 100; // between the middles of two places
thumb = 10;             // radius of the notch through which a card is lifted
relief = 1.5;           // radius of the hole where a card's corner would be bruised
flat = false;           // true draws the stop as an outline for a laser or a knife
kerf = 0.15;            // width of the laser's cut, with flat; 0 for a knife
$fn = 96;

place = card + sleeve + [play, play];

assert(place.x + wall + (tap ? gap + board : 0) <= pitch, "The place reaches into the next: write more for pitch.");
assert(tap || floor == 0, "No floor over a reader: it takes a quarter of its reach.");

module stop() {
    difference() {
        translate([-wall, 0]) square([place.x + wall, place.y + wall]);
        translate([0, -1]) square([place.x + 1, place.y + 1]);
        translate([0, place.y]) circle(relief);
    }
}

module floor_plate() {
    difference() {
        translate([-wall, 0]) square([place.x + wall, place.y + wall]);
        translate([place.x / 2, 0]) circle(thumb);
    }
}

if (flat) {
    offset(delta = kerf / 2) stop();
} else {
    if (floor > 0) linear_extrude(floor) floor_plate();
    linear_extrude(floor + height) stop();
}
