import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { REPOSITORY } from "../../../scripts/project";
import { EXAMPLE } from "./team";

type Values = Readonly<Record<string, string>>;
interface Job {
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Values;
  readonly concurrency?: object;
  readonly "timeout-minutes"?: number;
  readonly uses?: string;
  readonly with?: Values;
  readonly steps?: readonly { readonly run?: string; readonly with?: Values }[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Values;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const filesIn = (folder: string) =>
  readdirSync(join(EXAMPLE, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:yaml|sh)$/.test(file))
    .map((file) => `${folder}/${file}`);
const readExample = (file: string) => readFileSync(join(EXAMPLE, file), "utf8");

const texts = filesIn(".github").map(readExample);
const scripts = filesIn("scripts");
const workflows: readonly (readonly [name: string, workflow: Workflow])[] = filesIn(
  ".github/workflows",
).map((file) => [basename(file, ".yaml"), parse(readExample(file))]);
const jobs = workflows.flatMap(([name, { jobs: all }]) =>
  Object.entries(all).map(([job, value]) => [`${name}/${job}`, value] as const),
);
const jobNamed = Object.fromEntries(jobs);
const commands = jobs.flatMap(([, { steps = [] }]) => steps.flatMap(({ run = [] }) => run));
/** The jobs that run a script with keys, in the workflow that has them. */
const keyed = jobs.filter(([, { uses }]) => uses === "./.github/workflows/run.yaml");

/** What the other tests of the pipelines say. */
const TESTS = join(REPOSITORY, "tests/examples/gitops");
const tests = readdirSync(TESTS)
  .filter((file) => file.endsWith(".test.ts") && file !== "workflows.test.ts")
  .map((file) => readFileSync(join(TESTS, file), "utf8"))
  .join("\n");

const SAME_REPOSITORY = "github.event.pull_request.head.repo.full_name == github.repository";
const namesOf = (found: readonly (readonly [string, Job])[]) => found.map(([name]) => name);

describe("the workflows of examples/gitops", () => {
  it("run nothing but scripts of the example that a test runs", () => {
    const others = commands.filter((command) => !/^npm (?:ci|test)$|"\$SCRIPT"/.test(command));
    const run = others.map((command) => /^scripts\/\S+\.sh/.exec(command)?.[0] ?? command);
    const chosen = keyed.map(([, job]) => `scripts/${job.with?.["script"]}.sh`);
    expect(chosen).to.have.length.above(7);
    expect([...run, ...chosen].filter((script) => !tests.includes(script))).to.deep.equal([]);
  });

  it("put no expression into a command: what others write reaches it as a variable", () => {
    expect(commands.filter((command) => command.includes("${{"))).to.deep.equal([]);
    for (const text of texts) expect(text).not.to.match(/head_ref|\.title|\.body/);
  });

  it("give no permission but to read, and more only to a job", () => {
    for (const [name, { permissions }] of workflows)
      // Those of the one that is called are its caller's.
      expect(permissions, name).to.deep.equal(name === "run" ? undefined : { contents: "read" });
    for (const text of texts) expect(text).not.to.contain("write-all");
  });

  it("never run with the rights of the repository for a fork", () => {
    for (const [name, { on }] of workflows) {
      expect(on, name).not.to.have.property("workflow_run");
      if (name !== "promotion") expect(on, name).not.to.have.property("pull_request_target");
    }
    const risky = jobs
      .filter(
        ([name, job]) => name.startsWith("promotion/") || keyed.some(([, one]) => one === job),
      )
      .filter(
        ([name, job]) =>
          /^pull-request|^promotion/.test(name) && !job.if?.includes(SAME_REPOSITORY),
      );
    expect(namesOf(risky)).to.deep.equal([]);
  });

  it("give the keys of an environment to no job that checks out a branch", () => {
    for (const [name, job] of keyed.filter(([all]) => all.startsWith("pull-request/")))
      expect(job.with?.["environment"], name).to.equal("pull-request");
    const checkout = jobNamed["promotion/environments"]?.steps?.[0];
    for (const given of [checkout?.with, jobNamed["promotion/preview"]?.with])
      expect(given?.["ref"]).to.equal("${{ github.event.repository.default_branch }}");
    // What a job with other keys has left in a cache is not taken.
    for (const text of texts) expect(text).not.to.match(/actions\/cache|^ *cache:/m);
    expect(texts.join("\n")).to.contain("package-manager-cache: false");
  });

  it("have keys in one place, which names an environment", () => {
    const withKeys = jobs.filter(([, job]) => JSON.stringify(job).includes("secrets."));
    expect(namesOf(withKeys)).to.deep.equal(["run/run"]);
    for (const [name, job] of [...keyed, ...withKeys])
      expect(job.with?.["environment"] ?? job.environment, name).to.be.a("string");
  });

  it("run on a stack one after the other, drop none that waits, and cancel none", () => {
    const grouped = [...workflows, ...jobs].filter(([, { concurrency }]) => concurrency);
    expect(grouped.map(([name]) => name)).to.deep.equal(["run/run"]);
    expect(jobNamed["run/run"]?.concurrency).to.deep.equal({
      group: "${{ inputs.group }}",
      queue: "max",
    });
    for (const [name, { with: given }] of keyed)
      if (given?.["environment"] !== "pull-request" && given?.["script"] !== "preview")
        expect(given?.["group"], name).to.equal(given?.["environment"]);
  });
});

describe("the scripts of examples/gitops", () => {
  for (const script of scripts)
    it(`${script} is valid, stops at an error and is run by a test`, () => {
      const text = readExample(script);
      execFileSync("bash", ["-n", join(EXAMPLE, script)]);
      expect(statSync(join(EXAMPLE, script)).mode & 0o111, "executable").to.equal(0o111);
      expect(text).to.match(/^#!\/usr\/bin\/env bash\n(# .+\n)+set -euo pipefail\n/);
      if (!script.endsWith("/lib.sh")) expect(tests, "a test runs it").to.contain(script);
      // Neither prints a command with its values, nor puts a key on a command line.
      expect(text).not.to.match(/set -\w*x|API_KEY|PASSPHRASE/);
    });

  it("fence in a report what a program says, whatever it is", () => {
    const args = [join(EXAMPLE, "scripts/report.mjs"), "Title", "Sentence", "7"];
    const urn = "urn:pulumi:s::p::agentserver:index:Deployment::x";
    const step = { op: "create", urn, newState: { inputs: {} }, detailedDiff: null };
    const diagnostics = [{ urn, message: "</details>~~~~\n" }];
    const input = JSON.stringify({ steps: [step], diagnostics }, null, 4);
    const fenced = "\n~~~~~\nx: </details>~~~~\n~~~~~\n";
    expect(execFileSync(process.execPath, args, { input, encoding: "utf8" })).to.contain(fenced);
  });
});
