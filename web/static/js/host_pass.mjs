// The page that the code of the host leads to: take the token out of the address, where it is in the
// fragment, and offer the button that posts it. Opening the page alone changes nothing.

import "./main.mjs";

const form = /** @type {HTMLFormElement} */ (document.getElementById("pass"));
const token = decodeURIComponent(location.hash.slice(1));
if (token) {
  history.replaceState(null, "", location.pathname); // Neither the history nor a shared link keeps it.
  /** @type {HTMLInputElement} */ (form.elements.namedItem("token")).value = token;
  form.hidden = false;
  document.getElementById("no-pass").hidden = true;
  form.querySelector("button").focus();
}
