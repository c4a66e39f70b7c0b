// The plug: when it is pulled the page says that it comes back, and does.

export function mindThePlug(live) {
  const link = document.getElementById("link");
  const aside = document.getElementById("aside");
  const usual = link.dataset.lost;
  document.addEventListener("submit", ({ target }) => {
    if (!target.dataset.plug) return;
    link.dataset.lost = link.textContent = target.dataset.plug;
    link.hidden = false;
  });
  live.addEventListener("shown", () => {
    if (aside.textContent === link.dataset.lost) aside.textContent = "";
    link.dataset.lost = usual;
  });
}
