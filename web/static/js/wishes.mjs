// Things in order of preference (phone/wishes.html): two buttons at each move it by one place. The order
// is sent with the form.

export function enableWishes() {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-move]");
    if (button) moveItem(button, button.closest("li"));
  });
}

// Move a thing, tell the new order, and keep the focus; at an end of the row the other button gets it.
function moveItem(button, item) {
  const isEarlier = button.dataset.move < 0;
  if (isEarlier) item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
  const names = [...item.parentNode.children].map((each) => each.dataset.name);
  item.closest("form").querySelector("[data-order]").textContent = names.join(", ");
  const goesOn = isEarlier ? item.previousElementSibling : item.nextElementSibling;
  (goesOn ? button : item.querySelector(`[data-move="${isEarlier ? 1 : -1}"]`)).focus();
}
