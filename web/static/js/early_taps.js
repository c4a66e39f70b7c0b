// Hold what is tapped before the scripts that sign it have come, and send it then. This is a script of
// the head, not a module, so that it runs before anything can be tapped; until it runs, and without
// scripts, taps have no effect (main.css).
//
// If those scripts cannot be loaded, the browser sends the form unsigned: the table answers that with
// a sentence that says what to do.

{
  const held = new Map(); // Form to the button that sent it, in the order of the first taps.

  const hold = (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.set(event.target, event.submitter);
  };

  const release = () => {
    document.removeEventListener("submit", hold, true);
    for (const [form, button] of held) if (form.isConnected) form.requestSubmit(button?.isConnected ? button : null);
    held.clear();
  };

  document.addEventListener("submit", hold, true);
  document.addEventListener("signing", release, { once: true }); // main.mjs signs from now on.
  addEventListener("error", ({ target }) => target.matches?.("script[data-signs]") && release(), true);
  document.documentElement.dataset.ready = "";
}
