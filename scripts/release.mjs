// `node scripts/release.mjs STEP…`: the steps of a release, in the order of `steps` below. A step that has been done changes
// nothing, so a release that broke goes on when it is run again. What is published under this version with other content is
// an error. Registries and credentials are those of npm, uv and gh, by their own settings.
import { buildArchives, buildPackages } from "./release/packages.mjs";
import { read, run, tag, version } from "./release/project.mjs";
import * as publish from "./release/publish.mjs";
import { report } from "./setup/report.mjs";

const draft = () => publish.draftRelease(changes().notes);
const steps = {
  check: { about: "says whether the tag, the versions and the changelog agree", work: check },
  archives: { about: "packs the plugin for each platform, with checksums", work: buildArchives },
  build: { about: "packs the packages of npm and Python", work: buildPackages },
  draft: { about: "drafts the release on GitHub: notes and archives", work: draft },
  npm: { about: "publishes to npm", work: publish.publishToNpm },
  python: { about: "publishes to PyPI", work: publish.publishToPython },
  announce: { about: "makes the release on GitHub public", work: publish.announceRelease },
};

function check() {
  const git = (...args) => run("git", args, { stdout: "pipe" }).trim();
  const versions = {
    "the schema": JSON.parse(read("provider/adapters/native/schema.json")).version,
    "the SDK for Python": /^ *version = "(.*)"$/m.exec(read("sdks/python/pyproject.toml"))?.[1],
  };
  const others = Object.entries(versions).filter(([, its]) => its !== version);
  const problems = [
    !git("tag", "--points-at", "HEAD").split("\n").includes(tag) && `no tag ${tag} is at HEAD`,
    git("status", "--porcelain") !== "" && "the working tree has changes",
    ...others.map(([what, its]) => `${what} has ${its}: run \`npm run schema\`, \`npm run sdks\``),
    !/, \d{4}-\d\d-\d\d$/.test(changes().title) &&
      `CHANGELOG.md has no entry "## ${version}, <year>-<month>-<day>"`,
  ].filter(Boolean);
  if (problems.length > 0) throw new Error(`check: ${version}: ${problems.join("; ")}`);
  report(`check: ${tag} can be released`);
}

/** The entry of this version in the changelog. */
function changes() {
  const entries = read("CHANGELOG.md").split(/^## /m);
  const entry = entries.find((text) => text.startsWith(`${version},`)) ?? "";
  const [title = "", ...notes] = entry.trim().split("\n");
  return { title, notes: notes.join("\n").trim() };
}

const names = process.argv.slice(2);
const unknown = names.filter((step) => !Object.hasOwn(steps, step));
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) report(`there is no step '${unknown.join("', '")}'\n`);
  const list = Object.entries(steps).map(([step, { about }]) => `  ${step.padEnd(9)} ${about}`);
  report(["node scripts/release.mjs STEP…", "", ...list].join("\n"));
  process.exitCode = 2;
} else
  try {
    for (const step of names) await steps[step].work();
  } catch (error) {
    report(error.message);
    process.exitCode = 1;
  }
