// Entry script of every page: connects the features below to the page.
//
// Without scripts the pages still show the state; writing needs them, as every write is signed.

import { follow } from "./stream.mjs";
import { interceptForms } from "./forms.mjs";
import { updateHands } from "./sealed_bid.mjs";
import { alertOnSeatButton } from "./seat_alert.mjs";
import { enableReveal, updateStayButtons } from "./reveal_on_hold.mjs";
import { enableSoundButton, signalTurn } from "./sound_and_vibration.mjs";
import { redirectWhenSeated } from "./seat_redirect.mjs";
import { returnIdleKiosk } from "./kiosk_idle.mjs";
import { enableHints, updateHints } from "./hints.mjs";
import { enableFingerprint } from "./fingerprint.mjs";
import { warmUp } from "./signing.mjs";

interceptForms();
document.dispatchEvent(new Event("signing")); // What was tapped meanwhile is sent now (early_taps.js).
enableReveal();
enableSoundButton();
returnIdleKiosk();
enableFingerprint();
warmUp();
const live = document.getElementById("live");
if (live) {
  const onUpdate = () => {
    updateHands(live);
    alertOnSeatButton(live);
    signalTurn(live);
    updateStayButtons();
    redirectWhenSeated(live);
    updateHints(live);
    live.dispatchEvent(new Event("shown"));
  };
  enableHints(live);
  onUpdate();
  follow(live, onUpdate);
}
