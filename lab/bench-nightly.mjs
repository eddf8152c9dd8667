// `node lab/bench-nightly.mjs COMMAND…`: runs the benches and shows their figures beside the last ones, which the branch
// `benches` of the remote repository keeps: one file, one commit a run.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";

const REF = "refs/heads/benches";
const FILE = "figures.txt";

const git = (args, input = "") =>
  execFileSync("git", args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] }).trim();

const [last] = git(["ls-remote", "origin", REF]).split(/\s/);
if (last !== "") git(["fetch", "--quiet", "--no-tags", "origin", last]);

const [program, ...args] = process.argv.slice(2);
const { stdout, status } = spawnSync(program, args, {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});

const commit = git(["rev-parse", "--short", "HEAD"]);
const before = last === "" ? "There are none yet." : git(["show", `${last}:${FILE}`]);
const figures = `Commit ${commit}\n${stdout}`;
const page = `# Benches\n\n## Now\n\n\`\`\`\n${figures}\`\`\`\n\n## Before\n\n\`\`\`\n${before}\n\`\`\`\n`;
console.log(page);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, page);

// What a bench that failed or missed a goal has printed is not kept: the next night is compared with the last that held.
if (status === 0) {
  const blob = git(["hash-object", "-w", "--stdin"], figures);
  const tree = git(["mktree"], `100644 blob ${blob}\t${FILE}\n`);
  const parent = last === "" ? [] : ["-p", last];
  const identity = ["-c", "user.name=benches", "-c", "user.email=benches@localhost"];
  const kept = git([...identity, "commit-tree", tree, ...parent, "-m", `Figures of ${commit}`]);
  git(["push", "--quiet", "origin", `${kept}:${REF}`]);
}
process.exitCode = status ?? 1;
