// Make a page of the floor dark or light before anything of it is drawn: in the evening none may flash
// white. This is a script of the head, not a module; floor.mjs has the button.

{
  const isNight = matchMedia("(prefers-color-scheme: dark)").matches;
  let kept = null;
  try {
    kept = localStorage.getItem("floor-dark");
  } catch {
    // This browser keeps nothing: it is as the device is.
  }
  document.documentElement.dataset.dark = kept ?? String(isNight);
}
