// Entry script of every page: connects the features below to the page.
//
// Without scripts the pages still show the state; writing needs them, as every write is signed.

import { follow } from "./stream.mjs";
import { interceptForms } from "./forms.mjs";
import { updateHands } from "./sealed_bid.mjs";
import { alertOnSeatButton } from "./seat_alert.mjs";
import { enableFist } from "./fist.mjs";
import { enableReveal, updateStayButtons } from "./reveal_on_hold.mjs";
import { enableSoundButton, signalTurn } from "./sound_and_vibration.mjs";
import { redirectWhenSeated } from "./seat_redirect.mjs";
import { returnIdleKiosk } from "./kiosk_idle.mjs";
import { showWhatIsAsked } from "./headline_in_sight.mjs";
import { enableHints, updateHints } from "./hints.mjs";
import { warmUp } from "./signing.mjs";
import { enableWishes } from "./wishes.mjs";

interceptForms();
document.dispatchEvent(new Event("signing")); // What was tapped meanwhile is sent now (early_taps.js).
document.documentElement.dataset.ready = ""; // Also where that script did not come.
enableReveal();
enableFist();
enableWishes();
enableSoundButton();
returnIdleKiosk();
warmUp();
const live = document.getElementById("live");
if (live) {
  // `changed` tells whether one of these blocks has changed.
  const onUpdate = (changed) => {
    if (changed("ask", "mine", "private")) updateHands(live);
    if (changed("ask", "bill")) alertOnSeatButton(live);
    if (changed("ask")) signalTurn(live);
    if (changed("ask", "bill")) showWhatIsAsked(live);
    if (changed("private")) updateStayButtons();
    if (changed("hints")) updateHints(live);
    if (changed()) redirectWhenSeated(live); // Only a whole state: the page of the seats has no blocks.
    live.dispatchEvent(new Event("shown"));
  };
  enableHints(live);
  onUpdate(() => true);
  follow(live, onUpdate);
}
