// The Python code that gives the figure's numbers: shown, copied, or exported as a notebook that opens with it.
// Part of plotly_view.js, which says what a `view` is.

// Offer the code where there is any; what is open shows the code of what is on screen now.
function offerCode(view) {
  const { code } = view.payload;
  const button = [...view.menu.row.children].find((one) => one.textContent === "Code");
  button.hidden = !code;
  if (!code) view.code.hidden = true;
  button.setAttribute("aria-expanded", String(!view.code.hidden));
  if (!view.code.hidden) fillCode(view);
}

function toggleCode(view, button) {
  view.code.hidden = !view.code.hidden;
  button.setAttribute("aria-expanded", String(!view.code.hidden));
  if (view.code.hidden) return;
  fillCode(view);
  view.code.scrollIntoView({ block: "nearest" });
}

function fillCode(view) {
  const { code } = view.payload;
  const written = element("pre", "", { role: "region", tabindex: "0", "aria-label": "Python code that computes these numbers" });
  const row = element("p", "nlpviz-code-row");
  written.textContent = code;
  for (const [label, act] of [
    ["Copy the code", async () => view.say((await copy(code)) ? "Code copied" : "The browser does not allow this page to copy text. Select the code instead.")],
    ["Download a notebook", () => save(view, "ipynb", "application/x-ipynb+json", JSON.stringify(notebookOf(view), null, 1))],
  ]) {
    const button = element("button", "", { type: "button" });
    button.textContent = label;
    button.addEventListener("click", act);
    row.append(button);
  }
  view.code.replaceChildren(written, row);
}

// A notebook of format 4.5: what the figure shows, in words, and the code.
function notebookOf(view) {
  const { alt, caption } = shownWords(view);
  const plain = (text) => text.replace(/[\\`*_{}[\]<>#$|]/g, "\\$&");
  return {
    cells: [
      { cell_type: "markdown", id: "figure", metadata: {}, source: `${plain(alt)}\n\n${plain(caption)}` },
      { cell_type: "code", id: "code", metadata: {}, execution_count: null, outputs: [], source: view.payload.code },
    ],
    metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}
