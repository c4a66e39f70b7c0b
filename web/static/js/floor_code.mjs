// The code of a floor, as its QR code brings it in the fragment of an address of the host's page.
//
// It outlasts the sign-in of the host, and is then filled into the form; the host still has to agree.

const KEPT = "floor-code";

export function takeFloorCode() {
  const found = /^#floor=([A-Z0-9]{16})$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(KEPT, found[1]);
    history.replaceState(null, "", location.pathname + location.search);
  }
  const field = document.getElementById("floor-code");
  const code = sessionStorage.getItem(KEPT);
  if (!field || !code) return;
  sessionStorage.removeItem(KEPT);
  field.value = code;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.form.querySelector("button").focus();
  field.scrollIntoView({ block: "center" });
}
