// The jig in which stickers are glued: a base with a corner stop, and a mask with a window. The card lies
// in the corner, its back up, and the mask on it. One sticker is pushed outwards into the lobe of its
// slot; one to four dots beside the lobes number the slots. All lengths are millimetres.

part = "all";           // "base", "mask" or "all"
card = [63, 88];        // without a sleeve
sticker = 25;           // diameter
pitch = 15.5;           // between the middles of two slots that lie side by side: 15 to 16
play = 0.3;             // how much wider than the sticker the window is, all round
wall = 8;               // width of the stop along two edges of the card
mask = 2;               // thickness of the mask
base = 3;               // thickness of the base
thumb = 10;             // radius of the notch through which the card is lifted
relief = 1.5;           // radius of the hole where a card's corner would be bruised
loose = 0.2;            // how much narrower than the card the mask is, so that it never presses it aside
tab = 12;               // how much longer than the card the mask is, to lift it by
flat = false;           // true draws base, stop and mask as outlines for a laser or a knife
kerf = 0.15;            // width of the laser's cut, with flat; 0 for a knife
$fn = 96;

radius = sticker / 2 + play;
slots = [[-1, 1], [1, 1], [-1, -1], [1, -1]] * (pitch / 2); // 1 and 2 above, 3 and 4 below
above_stop = 1.6;       // how much higher than the mask the stop is
dot = [1, 0.6, 3.2];    // radius, depth and distance of the dots

assert(pitch >= 15 && pitch <= 16, "Nearer than 15 mm stickers silence each other: pitch is 15 to 16.");
assert(min(card) >= pitch + 2 * radius + 8, "The card is too small for four slots of these stickers.");

module stop() {
    difference() {
        translate([-wall, 0]) square([card.x + wall, card.y + wall]);
        translate([0, -1]) square([card.x + 1, card.y + 1]);
        translate([0, card.y]) circle(relief);
    }
}

module base_plate() {
    difference() {
        translate([-wall, 0]) square([card.x + wall, card.y + wall]);
        translate([card.x / 2, 0]) circle(thumb);
    }
}

module dots() {
    for (slot = [0 : 3]) {
        away = (radius + 4) * sign(slots[slot].y);
        for (i = [0 : slot])
            translate(card / 2 + slots[slot] + [(i - slot / 2) * dot[2], away]) circle(dot[0]);
    }
}

module mask_plate() {
    difference() {
        translate([loose / 2, -tab]) square([card.x - loose, card.y + tab - loose / 2]);
        for (slot = slots) translate(card / 2 + slot) circle(radius);
    }
}

module mask_solid() {
    difference() {
        linear_extrude(mask) mask_plate();
        translate([0, 0, mask - min(dot[1], mask / 2)]) linear_extrude(mask) dots();
    }
}

if (flat) {
    offset(delta = kerf / 2) base_plate();
    translate([card.x + 6, 0]) offset(delta = kerf / 2) mask_plate();
    translate([2 * card.x + wall + 12, 0]) offset(delta = kerf / 2) stop();
} else {
    if (part != "mask") {
        linear_extrude(base) base_plate();
        linear_extrude(base + mask + above_stop) stop();
    }
    if (part != "base") translate(part == "all" ? [card.x + 6, 0, 0] : [0, 0, 0]) mask_solid();
}
