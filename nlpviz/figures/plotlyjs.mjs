// Builds static/plotly.min.js: plotly.js with the kinds of trace that our figures have. All of it is twice as long, and
// takes a browser twice as long to read. For another version of plotly.js or another kind of trace, in a folder of its own:
//
//   npm install --no-save plotly.js@4.1.1 buffer@6.0.3 esbuild@0.28.2 esbuild-plugin-environment@0.5.0 \
//     esbuild-plugin-glsl@1.4.2 esbuild-plugin-inline-css@0.0.1 stream-browserify@3.0.0
//   cp …/nlpviz/figures/plotlyjs.mjs . && node plotlyjs.mjs …/static/plotly.min.js
//
// The options are those with which plotly.js is published (its esbuild-config.js).

import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { environmentPlugin } from "esbuild-plugin-environment";
import { glsl } from "esbuild-plugin-glsl";
import inlineCss from "esbuild-plugin-inline-css";

const TRACES = ["bar", "box", "contour", "heatmap", "histogram", "image", "scatter", "scatter3d", "scattergl"];

const source = (name) => readFileSync(`node_modules/plotly.js/${name}`, "utf8").trim();
const { version } = JSON.parse(source("package.json"));
const registered = TRACES.filter((name) => name !== "scatter").map((name) => `require("plotly.js/lib/${name}")`);

await build({
  stdin: {
    contents: `const Plotly = require("plotly.js/lib/core"); Plotly.register([${registered}]); module.exports = Plotly;`,
    resolveDir: ".",
  },
  // Told so, Chromium compiles all of it beside the main thread while it arrives: the page stands still half as long.
  banner: { js: `//# allFunctionsCalledOnLoad\n/* plotly.js ${version}: ${TRACES.join(", ")}\n\n${source("LICENSE")}\n*/` },
  outfile: process.argv[2],
  allowOverwrite: true,
  format: "iife",
  globalName: "Plotly",
  bundle: true,
  minify: true,
  legalComments: "eof",
  plugins: [inlineCss(), glsl({ minify: true }), environmentPlugin({ NODE_DEBUG: false })],
  alias: { regl: "@plotly/regl", stream: "stream-browserify" },
  define: { global: "window", "define.amd": "false" },
  target: "es2016",
});
