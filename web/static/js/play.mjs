// The simulated table: pieces that are dragged, arrow keys from spot to spot, the button of the seat
// that can be held, and a plug that is pulled. Without this file every piece still has its button.

import { mindDragging } from "./drag_and_drop.mjs";
import { mindHolding } from "./long_press.mjs";
import { mindKeys } from "./keyboard.mjs";
import { mindThePlug } from "./power_cut.mjs";

const live = document.getElementById("live");
mindDragging(live);
mindKeys(live);
mindHolding();
mindThePlug(live);
