// The plug: when it is pulled the page says that it comes back, and does.

const STILL_ON = 1_500; // So long the table may have news before the power is gone.

export function mindThePlug(live) {
  const link = document.getElementById("link");
  const aside = document.getElementById("aside");
  const usual = link.dataset.lost;
  let pulled = 0;
  const say = () => {
    link.textContent = link.dataset.lost;
    link.hidden = false;
  };
  document.addEventListener("granted", ({ target }) => {
    if (!target.dataset.plug) return;
    pulled = Date.now();
    link.dataset.lost = target.dataset.plug;
    say();
  });
  live.addEventListener("shown", () => {
    if (Date.now() < pulled + STILL_ON) return say();
    if ([usual, link.dataset.lost].includes(aside.textContent)) aside.textContent = "";
    link.dataset.lost = usual;
  });
}
