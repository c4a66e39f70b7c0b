// Every page: follow the game, send forms without leaving the page, close and open the hand, come
// when the button calls, keep what is private under a thumb, go on to the seat that was found, give
// hints to whoever wants them.
// Without this file the pages still show the state and send their forms; only a hand needs it.

import { follow } from "./reconnecting_stream.mjs";
import { sendForms } from "./forms.mjs";
import { tendHand } from "./sealed_bid.mjs";
import { heedButton } from "./seat_alert.mjs";
import { heedStay, mindPeeking } from "./reveal_on_hold.mjs";
import { heedTurn, offerSound } from "./sound_and_vibration.mjs";
import { goToSeat } from "./seat_redirect.mjs";
import { comeHome } from "./kiosk_idle.mjs";
import { heedHints, offerHints } from "./hints.mjs";

sendForms();
mindPeeking();
offerSound();
comeHome();
const live = document.getElementById("live");
if (live) {
  const shown = () => {
    tendHand(live);
    heedButton(live);
    heedTurn(live);
    heedStay();
    goToSeat(live);
    heedHints(live);
    live.dispatchEvent(new Event("shown"));
  };
  offerHints(live);
  shown();
  follow(live, shown);
}
