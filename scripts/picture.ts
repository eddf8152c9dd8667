// `npm run picture`: runs the demo and draws its output as docs/demo.svg, the picture of the README.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../shared/errors";
import { REPOSITORY } from "./project";

const TITLE = "npm run demo: a deployment is created, changed, previewed and destroyed";
const LONGEST_LINE = 108;
/** Width of a character, height of a line and of the title bar, and the space around them, in pixels of the picture. */
const [CHARACTER, LINE, BAR, PADDING] = [7.8, 18, 28, 16];

/** A light and a dark terminal, as the reader's system is. */
const STYLE = `
  .frame { fill: #ffffff; stroke: #d0d7de; }
  .bar { fill: #f6f8fa; }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
  .title { font-weight: 600; }
  .quote { fill: #57606a; }
  .good { fill: #1a7f37; }
  .command { fill: #0550ae; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .frame { fill: #0d1117; stroke: #30363d; }
    .bar { fill: #161b22; }
    text { fill: #e6edf3; }
    .quote { fill: #9198a1; }
    .good { fill: #3fb950; }
    .command { fill: #79c0ff; }
  }
`;

/** Of what the engine prints the lines that say what happened, not those of its progress. */
const TELLING = /│\s+(an update creates|replaced, since|[+~-]+ ?\d+ |\d+ unchanged|url)/;

/** The demo's lines without blank ones and the engine's progress, each short enough for a picture. */
function linesOf(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "" && (!line.includes("│") || TELLING.test(line)))
    .map((line) => line.replace(/^ {6}/, "  ").replace(/│ +/, "│ "))
    .map((line) => line.replace(/ \(where --replace.*$/, ""))
    .map((line) => line.replace(new RegExp(`^(.{${LONGEST_LINE - 1}}).{2,}$`), "$1…"));
}

/** An SVG of lines in a terminal's window. A screen reader reads the title. */
function pictureOf(lines: readonly string[]): string {
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER + 2 * PADDING);
  const height = BAR + lines.length * LINE + PADDING;
  const rows = lines.map(
    (line, at) =>
      `<text x="${PADDING}" y="${BAR + (at + 1) * LINE}" class="${classOf(line)}" xml:space="preserve">${escaped(line)}</text>`,
  );
  const dots = [0, 1, 2].map(
    (at) => `<circle cx="${PADDING + 5 + at * 18}" cy="${BAR / 2}" r="5" class="quote"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${TITLE}">
<title>${TITLE}</title>
<style>${STYLE}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" class="frame"/>
<rect x="1" y="1" width="${width - 2}" height="${BAR - 1}" rx="8" class="bar"/>
${[...dots, ...rows].join("\n")}
</svg>
`;
}

function classOf(line: string): string {
  if (line.startsWith("$ ")) return "command";
  if (/^\[\d/.test(line)) return "title";
  if (/✓|^All /.test(line)) return "good";
  return line.includes("│") ? "quote" : "plain";
}

/** Text in an element. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

async function main(): Promise<void> {
  const demo = join(REPOSITORY, "dist/scripts/demo.js");
  const { stdout } = await promisify(execFile)(process.execPath, [demo]);
  const picture = pictureOf(["$ npm run demo", ...linesOf(stdout)]);
  await writeFile(join(REPOSITORY, "docs/demo.svg"), picture);
  process.stdout.write("docs/demo.svg is drawn.\n");
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n${Object(error).stdout ?? ""}`);
  process.exitCode = 1;
});
