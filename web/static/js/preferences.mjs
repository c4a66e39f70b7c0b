// Display preferences of the table screen: high contrast and reduced motion, for a screen whose
// system has no such settings. What the host has set for the whole table cannot be unset here.

const PREFIX = "companion look ";

// Show the switches and apply what is stored.
export function enablePreferences() {
  const switches = document.getElementById("looks");
  switches.hidden = false;
  for (const button of switches.querySelectorAll("[data-look]")) {
    applyPreference(button, load(button.dataset.look));
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      applyPreference(button, on);
      save(button.dataset.look, on);
    });
  }
}

function applyPreference(button, on) {
  if (document.documentElement.getAttribute(`data-${button.dataset.look}`)) {
    button.hidden = true;
    return;
  }
  button.setAttribute("aria-pressed", on);
  document.documentElement.toggleAttribute(`data-${button.dataset.look}`, on);
}

function load(name) {
  try {
    return localStorage.getItem(PREFIX + name) === "on";
  } catch {
    return false;
  }
}

function save(name, on) {
  try {
    localStorage.setItem(PREFIX + name, on ? "on" : "off");
  } catch {
    // Without storage it is valid until the page closes.
  }
}
