// `npm run picture`: runs the demo and draws its output as docs/demo.svg, the picture of the README.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { messageOf } from "../shared/errors";
import { pictureOf } from "./picture/svg";
import { REPOSITORY } from "./project";

const TITLE = "npm run demo: a deployment is created, changed, previewed and destroyed";
const LONGEST_LINE = 108;

/** Of what the engine prints the lines that say what happened, not those of its progress. */
const TELLING = /│\s+(an update creates|replaced, since|Resources:|[+~-]+ ?\d+ |\d+ unchanged|url)/;

/** The demo's lines without blank ones and the engine's progress, each short enough for a picture. */
function linesOf(output: string): string[] {
  const lines = output
    .split("\n")
    .filter((line) => line.trim() !== "" && (!line.includes("│") || TELLING.test(line)))
    .filter((line) => !line.includes("Resources:"))
    .map((line) => line.replace(/^ {6}/, "  ").replace(/│ +/, "│ "))
    .map((line) => line.replace(/ \(where --replace.*$/, ""));
  return lines.map((line) =>
    line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line,
  );
}

async function main(): Promise<void> {
  const demo = spawn(process.execPath, [join(REPOSITORY, "dist/scripts/demo.js")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, code] = await Promise.all([
    text(demo.stdout),
    new Promise<number | null>((resolve) => demo.once("exit", resolve)),
  ]);
  if (code !== 0) throw new Error(`the demo failed:\n${output}`);
  const picture = pictureOf(["$ npm run demo", ...linesOf(output)], TITLE);
  await writeFile(join(REPOSITORY, "docs/demo.svg"), picture);
  process.stdout.write("docs/demo.svg is drawn.\n");
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
