// Prints as Markdown what `pulumi preview --json` has printed: the inputs that change, and, folded, what Pulumi says.
//   support: update
//     variable LOG_LEVEL: info → debug
// A secret is named only. Of an error all is shown. No value ends a block, and GitHub takes 65,536 characters.
// usage: node scripts/report.mjs TITLE SENTENCE EXIT_CODE <PRINTED
import { readFileSync } from "node:fs";

const [title, sentence, exitCode] = process.argv.slice(2);
const printed = readFileSync(0, "utf8");
const [json = "{}"] = /^\{$[^]*^\}$/m.exec(printed) ?? [];
const { steps = [], diagnostics = [] } = JSON.parse(json);
const nameOf = (urn) => urn.split("::").at(-1);

/** What the state has recorded, before the preview has read the service. */
const recorded = new Map(
  steps.filter(({ op }) => op === "refresh").map(({ urn, oldState }) => [urn, oldState]),
);

const changes = steps
  .filter(({ op }) => /^(create|update|replace|delete)$/.test(op))
  .filter(({ urn }) => !urn.includes("::pulumi:pulumi:Stack::"))
  .flatMap(({ op, urn, oldState, newState, detailedDiff }) => [
    `${nameOf(urn)}: ${op}`,
    ...Object.entries(detailedDiff ?? {})
      .filter(([, { inputDiff }]) => inputDiff)
      .map(([path, { kind }]) => {
        const before = kind.startsWith("add") ? undefined : at(oldState, path);
        return change(path, before, at(newState, path)) + origin(urn, path, before);
      }),
  ]);

/** The input at a path, as in `sourceRevisionConfig.repoRef` or `context["a.b"][0]`. */
function at({ inputs }, path) {
  const keys = [...path.matchAll(/\["(.*?)"\]|[^.[\]]+/g)].map(([key, quoted]) => quoted ?? key);
  return keys.reduce((value, key) => (value === "[secret]" ? value : value?.[key]), inputs);
}

/** Names a value of the service that the state has not recorded. Of a secret both show no value. */
function origin(urn, path, before) {
  const state = recorded.get(urn);
  const isRecorded = !state || JSON.stringify(at(state, path)) === JSON.stringify(before);
  return isRecorded ? "" : " (another client set this)";
}

function change(path, before, after) {
  const name = `  ${path.replace(/^(env|secrets)\./, "variable ")}`;
  if (before === undefined) return `${name} added: ${shown(after)}`;
  if (after === undefined) return `${name} removed: ${shown(before)}`;
  if (before === "[secret]") return `${name}: [secret]`;
  if (!`${before}${after}`.includes("\n")) return `${name}: ${shown(before)} → ${shown(after)}`;
  const [old, now] = [before, after].map((text) => String(text).split("\n"));
  const removed = old.filter((line) => !now.includes(line)).map((line) => `    - ${line}`);
  const added = now.filter((line) => !old.includes(line)).map((line) => `    + ${line}`);
  return [`${name}:`, ...removed, ...added].join("\n");
}

function shown(value) {
  return /^[^\s"\\]+$/.test(value) ? value : JSON.stringify(value);
}

const rest = printed.replace(json, "").replace(/^error: no changes were expected.*/m, "");
const messages = diagnostics.map(({ urn = "", message }) => `${nameOf(urn)}: ${message.trim()}`);
const said = [...messages, rest.trim()].join("\n").trim();

const longest = Math.max(3, ...printed.match(/~*/g).map(({ length }) => length));
const fence = "~".repeat(longest + 1);
const block = (text, most) =>
  `${fence}\n${text.length > most ? `${text.slice(0, most)}\n(… the rest is in the log)` : text}\n${fence}`;

const effects = { 0: "changes nothing.", 7: "changes this:" };
const effect = effects[exitCode] ?? `could not be previewed (exit code ${exitCode}):`;
const parts = [title, `${sentence} ${effect}`];
if (changes.length > 0) parts.push(block(changes.join("\n"), 20_000));
const isFolded = changes.length > 0 || exitCode === "0";
if (said && !isFolded) parts.push(block(said, 40_000));
if (said && isFolded)
  parts.push(
    `<details><summary>What Pulumi says</summary>\n\n${block(said, 40_000)}\n\n</details>`,
  );
process.stdout.write(`${parts.join("\n\n")}\n`);
