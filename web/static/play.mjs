// The simulated table: pieces that are dragged, arrow keys from spot to spot, the button of the seat
// that can be held, and a plug that is pulled. Without this file every piece still has its button.

import { mindDragging } from "./drag.mjs";
import { mindHolding } from "./hold.mjs";
import { mindKeys } from "./reach.mjs";
import { mindThePlug } from "./plug.mjs";

const live = document.getElementById("live");
mindDragging(live);
mindKeys(live);
mindHolding();
mindThePlug(live);
