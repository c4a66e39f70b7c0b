// Every page: follow the game, send forms without leaving the page, close and open the hand.
// Without this file the pages still show the state and send their forms; only a hand needs it.

import { follow } from "./live.mjs";
import { sendForms } from "./forms.mjs";
import { tendHand } from "./hand.mjs";

sendForms();
const live = document.getElementById("live");
if (live) {
  tendHand(live);
  follow(live, () => tendHand(live));
}
