// The menu "⋯" at the corner of a figure or a coloured text: what can be exported, and where it comes from.
// Shared by the components that offer it. Enter opens it and goes into it, arrow keys go through it, Escape leads back.

// Return the button with its panel and where answers are written. An item is [label, title, act]; `act(button)` may
// return what is to be said. `about` holds words on the origin, which the component fills.
function cornerMenu(items, name) {
  const root = element("div", "nlpviz-corner");
  const opener = element("button", "nlpviz-corner-open", {
    type: "button", title: name, "aria-label": name, "aria-haspopup": "true", "aria-expanded": "false",
  });
  opener.textContent = "⋯";
  const panel = element("div", "nlpviz-corner-panel", { role: "group", "aria-label": name });
  panel.hidden = true;
  const row = element("div", "nlpviz-corner-items");
  const about = element("p", "nlpviz-caption");
  const said = element("span", "nlpviz-said", { role: "status" });
  const menu = { root, row, about, say: (text, ...more) => answer(said, text, more) };
  const show = (open) => {
    panel.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) row.querySelector("button:not([hidden])")?.focus();
  };
  for (const [label, title, act] of items) row.append(itemOf(menu, label, title, act, () => show(false)));
  opener.addEventListener("click", () => show(panel.hidden));
  root.addEventListener("keydown", (event) => {
    if (panel.hidden || !["Escape", "ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      show(false);
      opener.focus();
    } else {
      const buttons = [...row.querySelectorAll("button:not([hidden])")];
      const next = buttons.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      buttons.at(next % buttons.length)?.focus();
    }
  });
  root.addEventListener("focusout", ({ relatedTarget }) => {
    if (!root.contains(relatedTarget)) show(false);
  });
  panel.addEventListener("mousedown", (event) => event.preventDefault()); // Safari would take the focus, and close it
  panel.append(row, about);
  root.append(opener, panel, said);
  return menu;
}

function itemOf(menu, label, title, act, close) {
  const button = element("button", "", { type: "button", title, "aria-label": `${label}: ${title}` });
  button.textContent = label;
  button.addEventListener("click", async () => {
    close();
    try {
      const answer = await act(button);
      if (answer !== undefined) menu.say(answer);
    } catch (error) {
      menu.say(`This action failed: ${error.message}`);
    }
  });
  return button;
}

function answer(said, text, more) {
  said.replaceChildren(...[text, ...more].filter(Boolean));
  clearTimeout(said.silence);
  said.silence = setTimeout(() => said.replaceChildren(), more.length ? 20_000 : 4000);
}
