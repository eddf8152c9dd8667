// `npm run picture`: runs the demo and draws its output into docs/demo.svg, the picture of the README.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../shared/errors";
import { REPOSITORY } from "./project";

const PICTURE = join(REPOSITORY, "docs/demo.svg");
/** Width of a character, height of a line and of the title bar, and the space around them, in pixels of the picture. */
const [CHARACTER, LINE, BAR, PADDING] = [7.8, 18, 28, 16];

/** Of what the engine prints the lines that say what happened, not those of its progress. */
const TELLING = /│\s+(an update creates|replaced, since|[+~-]+ ?\d+ |\d+ unchanged|url)/;

/** The demo's lines without blank ones and the engine's progress, each short enough for a picture. */
function linesOf(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "" && (!line.includes("│") || TELLING.test(line)))
    .map((line) => line.replace(/^ {6}/, "  ").replace(/│ +/, "│ "))
    .map((line) => line.replace(/^(.{107}).{2,}$/, "$1…"));
}

/** A picture of lines in the window, with the styles, of the former one. */
function pictureOf(lines: readonly string[], former: string): string {
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER + 2 * PADDING);
  const height = BAR + lines.length * LINE + PADDING;
  const rows = lines.map(
    (line, at) =>
      `<text x="${PADDING}" y="${BAR + (at + 1) * LINE}" class="${classOf(line)}" xml:space="preserve">${escaped(line)}</text>\n`,
  );
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const texts = /<text .*<\/text>\n/s;
  return former.replace(texts, () => rows.join("")).replace(/viewBox=.*(?= role)/, size);
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
  const lines = ["$ npm run demo", ...linesOf(stdout)];
  await writeFile(PICTURE, pictureOf(lines, await readFile(PICTURE, "utf8")));
  process.stdout.write("docs/demo.svg is drawn.\n");
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n${Object(error).stdout ?? ""}`);
  process.exitCode = 1;
});
