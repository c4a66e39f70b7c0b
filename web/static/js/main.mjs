// Entry script of every page: connects the features below to the page.
//
// Without scripts the pages still show the state; writing needs them, as every write is signed.

import { updateHands } from "./sealed_bid.mjs";
import { alertOnSeatButton, showWhatIsAsked } from "./called.mjs";
import { enableSoundButton, signalTurn } from "./sound_and_vibration.mjs";
import { redirectWhenSeated, returnIdleKiosk } from "./leaving.mjs";
import { follow } from "./stream.mjs";
import { interceptForms } from "./forms.mjs";
import { enableFist } from "./fist.mjs";
import { enableReveal, updateStayButtons } from "./reveal_on_hold.mjs";
import { enableHints, updateHints } from "./hints.mjs";
import { warmUp } from "./signing.mjs";
import { keep, recall } from "./storage.mjs";

const TYPED_NAME = "companion typed name";

interceptForms();
document.dispatchEvent(new Event("signing")); // What was tapped meanwhile is sent now (early_taps.js).
document.documentElement.dataset.ready = ""; // Also where that script did not come.
enableReveal();
enableFist();
enableWishes();
keepTypedName();
enableSoundButton();
returnIdleKiosk();
warmUp();
const live = document.getElementById("live");
if (live) {
  // Called after every update of the page; `changed` tells whether one of these blocks has changed.
  /** @param {(...keys: string[]) => boolean} changed */
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

// The name that is typed at the door is there again when the page comes in another language.
function keepTypedName() {
  const field = document.getElementById("who-name");
  if (!field) return;
  field.value ||= recall(TYPED_NAME, "sessionStorage") ?? "";
  field.addEventListener("input", () => keep(TYPED_NAME, field.value, "sessionStorage"));
}

// Things in order of preference (phone/wishes.html): a button at each moves it forward by one place. The
// order is sent with the form.
function enableWishes() {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-move]");
    if (button) moveForward(button.closest("li"));
  });
}

// Move a thing, tell the new order, and keep the focus; the first has no button, so the second gets it.
/** @param {HTMLElement} item */
function moveForward(item) {
  item.previousElementSibling?.before(item);
  const names = [...item.parentNode.children].map((each) => each.dataset.name);
  item.closest("form").querySelector("[data-order]").textContent = names.join(", ");
  (item.previousElementSibling ? item : item.nextElementSibling).querySelector("[data-move]").focus();
}
