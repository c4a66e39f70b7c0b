// The tray at a place: a corner stop over the reader, so that every card lies with its middle over the
// coil. Glue it onto the table over the cross of place.svg. All lengths are millimetres.

card = [63, 88];        // without its sleeve
sleeve = [3, 3];        // how much wider and higher a card is in its sleeve
play = 0.6;             // how much wider than the sleeved card the place is
wall = 5;               // width of the stop along two edges
height = 6;             // of the stop above the floor; four sleeved cards are 2.4 high
floor = 0.8;            // between card and table; 0 leaves the stop alone
pitch = 100;            // between the middles of two places
thumb = 10;             // radius of the notch through which a card is lifted
relief = 1.5;           // radius of the hole where a card's corner would be bruised
sight = 1.5;            // radius of the hole over the middle of the coil
flat = false;           // true draws the stop as an outline for a laser or a knife
kerf = 0.15;            // width of the laser's cut, with flat; 0 for a knife
$fn = 96;

place = card + sleeve + [play, play];
middle = [(card.x + sleeve.x) / 2, place.y - (card.y + sleeve.y) / 2];

assert(min(place) + wall <= pitch, "The tray reaches into the next place: write more for pitch.");
assert(floor <= 3, "The floor is too thick for a small pile to be heard through it.");

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
        translate(middle) circle(sight);
    }
}

if (flat) {
    offset(delta = kerf / 2) stop();
} else {
    linear_extrude(floor) floor_plate();
    linear_extrude(floor + height) stop();
}
