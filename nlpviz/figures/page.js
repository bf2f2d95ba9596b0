// plotly.js takes most of a second to read. It waits, packed, until the page and the still pictures in it were painted.
const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const DARK = matchMedia("(prefers-color-scheme: dark)");
const PAPER = matchMedia("print");
const mayBeDark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
const onDark = Object.entries(JSON.parse(document.getElementById("on-dark").textContent));
const PACE = 1000; // ms from one frame to the next

async function draw() {
  await Promise.all(Array.from(document.querySelectorAll(".still image"), (picture) => picture.decode()));
  await painted();
  const library = document.createElement("script");
  library.textContent = await unpacked(document.getElementById("plotly").textContent);
  document.head.append(library);
  const all = [...document.querySelectorAll("figure")].map((root) => {
    const [figure, playback] = Array.from(root.querySelectorAll("script"), (one) => JSON.parse(one.textContent));
    return { root, figure, playback, frame: playback?.shown };
  });
  for (const one of all) {
    const folded = one.root.closest("details:not([open])"); // there it has no width
    if (folded) folded.addEventListener("toggle", () => paint(one), { once: true });
    else await paint(one);
    one.root.querySelector(".still")?.remove();
  }
  for (const theme of [DARK, PAPER])
    theme.addEventListener("change", () => {
      for (const one of all) if (one.isDrawn) paint(one);
    });
  for (const one of all) if (one.playback && !one.playback.follows) offerPlayer(one, all);
}

// Return the text that was packed by gzip and written in base 64.
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

// Draw a figure at the moment that it shows, with what is said of it there.
async function paint(one) {
  const { root, figure, playback, frame } = one;
  const now = playback?.frames.find(({ value }) => value === frame);
  const light = now?.data.length ? merged(figure, playback, now) : figure;
  const { data, layout } = recoloured(light, mayBeDark && DARK.matches && !PAPER.matches ? onDark : []);
  const options = { ...(isMapLayout(layout) ? CONFIG : STILL_CONFIG), responsive: true };
  const drawn = { ...structuredClone(layout), autosize: true };
  if (COARSE_POINTER || !isMapLayout(layout)) drawn.dragmode = false; // as in the app
  await Plotly.react(root.querySelector(".drawn"), structuredClone(data), drawn, options);
  one.isDrawn = true;
  if (!now) return;
  root.setAttribute("aria-label", now.alt);
  root.querySelector("figcaption").textContent = now.caption;
}

// Put a slider under a figure; the one that others follow moves all of them, and the texts, and stays in sight.
function offerPlayer(leader, all) {
  const { playback } = leader;
  const { frames, clock } = playback;
  const led = clock ? all.filter((one) => one.playback?.clock === clock) : [leader];
  const player = document.createElement("div");
  player.className = clock ? "player leads" : "player";
  const button = document.createElement("button");
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: frames.length - 1 });
  const said = document.createElement("output");
  slider.setAttribute("aria-label", playback.noun ?? "Epoch");
  player.append(button, slider, said);
  if (clock) document.body.append(player);
  else leader.root.after(player);
  let playing;
  const show = async (at) => {
    slider.value = at;
    said.textContent = frames[at].label;
    slider.setAttribute("aria-valuetext", frames[at].label);
    button.textContent = playing ? "Stop" : (playback.verb ?? "Play training");
    if (clock) showMoment(frames[at].value);
    for (const one of led) {
      if (one.frame === frames[at].value || !one.playback.frames.some(({ value }) => value === frames[at].value)) continue;
      one.frame = frames[at].value;
      await paint(one);
    }
  };
  slider.addEventListener("input", () => {
    playing = undefined;
    show(Number(slider.value));
  });
  button.addEventListener("click", async () => {
    const turn = (playing = playing ? undefined : {});
    if (!turn) return show(Number(slider.value));
    for (let at = 0; at < frames.length && playing === turn; at += 1) {
      const next = new Promise((done) => setTimeout(done, playback.pace ?? PACE));
      await show(at);
      if (at < frames.length - 1) await next;
    }
    if (playing === turn) playing = undefined;
    return show(Number(slider.value));
  });
  show(frames.findIndex(({ value }) => value === playback.shown));
}

// Of each text that is there at several moments show the one.
function showMoment(moment) {
  const texts = new Set(Array.from(document.querySelectorAll("[data-moment]"), (one) => one.parentElement));
  for (const text of texts) {
    const own = [...text.children].filter((one) => one.dataset.moment !== undefined);
    if (own.some((one) => one.dataset.moment === moment)) for (const one of own) one.hidden = one.dataset.moment !== moment;
  }
}

draw();
