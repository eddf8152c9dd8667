import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { report } from "../setup/report.mjs";
import { digest, filesIn, folders, name, root, run, tag, uv, version } from "./project.mjs";

/** Publishes the package to npm's registry; nothing where it has the same one already. */
export function publishToNpm() {
  const [file] = filesIn(folders.packages, /\.tgz$/);
  const built = `sha512-${digest(file, "sha512", "base64")}`;
  const published = publishedIntegrity();
  if (published === built) return report(`npm: ${name} ${version} is published already`);
  if (published !== undefined) throw otherContent("npm", `${published}, not ${built}`);
  const npmTag = version.includes("-") ? "next" : "latest";
  run("npm", ["publish", file, "--access", "public", "--tag", npmTag]);
  report(`npm: published ${name} ${version}`);
}

function publishedIntegrity() {
  const args = ["view", `${name}@${version}`, "dist.integrity", "--json"];
  const { stdout, status } = spawnSync("npm", args, { cwd: root, encoding: "utf8" });
  const answer = stdout.trim() === "" ? undefined : JSON.parse(stdout);
  if (status === 0 || answer?.error?.code === "E404")
    return typeof answer === "string" ? answer : undefined;
  const reason = answer?.error?.summary ?? `exit code ${status}`;
  throw new Error(`npm: ask the registry for ${name} ${version}: ${reason}`);
}

/** Publishes the wheel and the source distribution. uv leaves out what the index has, and refuses other content. */
export function publishToPython() {
  const index = process.env.UV_PUBLISH_CHECK_URL ?? "https://pypi.org/simple/";
  const files = filesIn(folders.packages, /\.(tar\.gz|whl)$/);
  run(uv(), ["publish", "--check-url", index, ...files]);
  report(`python: the index has ${files.map((file) => basename(file)).join(", ")}`);
}

/** Drafts the release on GitHub, and uploads the archives that it lacks. */
export function draftRelease(notes) {
  const release = githubRelease();
  const words = ["--title", tag, "--notes", notes];
  if (release === undefined)
    run("gh", ["release", "create", tag, "--verify-tag", "--draft", ...words]);
  const there = new Map(release?.assets.map((asset) => [asset.name, asset.digest]));
  const missing = filesIn(folders.archives).filter(
    (file) => there.get(basename(file)) !== `sha256:${digest(file)}`,
  );
  const names = missing.map((file) => basename(file)).join(", ");
  if (missing.length === 0) return report(`draft: the release ${tag} has every archive already`);
  if (release !== undefined && !release.isDraft) throw otherContent("draft", names);
  run("gh", ["release", "upload", tag, "--clobber", ...missing]);
  report(`draft: uploaded ${names}`);
}

/** Makes the draft public. */
export function announceRelease() {
  if (githubRelease()?.isDraft === false)
    return report(`announce: the release ${tag} is public already`);
  run("gh", ["release", "edit", tag, "--draft=false"]);
  report(`announce: the release ${tag} is public`);
}

function githubRelease() {
  const args = ["release", "view", tag, "--json", "isDraft,assets"];
  const { stdout, stderr, status } = spawnSync("gh", args, { cwd: root, encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout);
  if (/release not found/.test(stderr)) return undefined;
  throw new Error(`ask GitHub for the release ${tag}: ${stderr}`);
}

function otherContent(step, difference) {
  const advice = "A version can't be replaced: raise it and release that.";
  return new Error(`${step}: ${version} is published with other content: ${difference}. ${advice}`);
}
