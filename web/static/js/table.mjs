// The table screen: its looks, the host's tools, and a verdict that is set smaller where it would be cut.

import "./main.mjs";
import { enablePreferences, enableTools } from "./table_tools.mjs";

const live = document.getElementById("live");

enablePreferences();
enableTools();
window.addEventListener("resize", fitVerdict);
new MutationObserver(fitVerdict).observe(live, { subtree: true, childList: true, characterData: true });
fitVerdict();

// An observer is called before the browser paints, so that nothing is seen to jump. The size is no class: it
// is to outlast a new state (blocks.mjs).
function fitVerdict() {
  const paper = live.querySelector(".story > .verdict");
  if (!paper) return;
  delete paper.dataset.fit;
  if (paper.scrollHeight > paper.clientHeight + 1) paper.dataset.fit = "small";
}
