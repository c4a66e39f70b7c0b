// Entry script of the simulated table: drag and drop, arrow keys, the long press on the seat's button,
// and the simulated power cut. Without scripts every piece still has its button.

import "./main.mjs";
import { enableDragging } from "./drag_and_drop.mjs";
import { enableLongPress } from "./long_press.mjs";
import { enableKeyboard } from "./keyboard.mjs";
import { watchPowerCut } from "./power_cut.mjs";

const live = document.getElementById("live");
enableDragging(live);
enableKeyboard(live);
enableLongPress();
watchPowerCut(live);
