// plotly.js takes a second or more to read. It waits, as text, until the page and the still pictures in it were painted.
const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

async function draw() {
  await Promise.all(Array.from(document.querySelectorAll(".still image"), (picture) => picture.decode()));
  await painted();
  const library = document.createElement("script");
  library.textContent = document.getElementById("plotly").textContent;
  document.head.append(library);
  for (const figure of document.querySelectorAll("figure")) {
    const { data, layout } = JSON.parse(figure.querySelector("script").textContent);
    await Plotly.newPlot(figure.querySelector(".drawn"), data, layout, { displaylogo: false, responsive: true });
    figure.querySelector(".still")?.remove();
  }
}

draw();
