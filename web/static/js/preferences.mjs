// Looks: more contrast or less motion, for a screen that has no settings of its own.

const PREFIX = "companion look ";

// Called with what to do when motion is to end.
export function dress(calmed) {
  const looks = document.getElementById("looks");
  looks.hidden = false;
  for (const button of looks.querySelectorAll("[data-look]")) {
    wear(button, kept(button.dataset.look));
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      wear(button, on);
      keep(button.dataset.look, on);
      if (on && button.dataset.look === "calm") calmed();
    });
  }
}

function wear(button, on) {
  button.setAttribute("aria-pressed", on);
  document.documentElement.toggleAttribute(`data-${button.dataset.look}`, on);
}

function kept(look) {
  try {
    return localStorage.getItem(PREFIX + look) === "on";
  } catch {
    return false;
  }
}

function keep(look, on) {
  try {
    localStorage.setItem(PREFIX + look, on ? "on" : "off");
  } catch {
    // As long as the page lives.
  }
}
