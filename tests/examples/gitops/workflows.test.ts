import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { EXAMPLE, jobs, readExample, scripts, steps, texts, workflows } from "./workflow-files";

const TESTS = join(REPOSITORY, "tests/examples/gitops");
/** The workflow that the others call to run a script with keys. */
const RUN = "./.github/workflows/run.yaml";
const SAME_REPOSITORY = "github.event.pull_request.head.repo.full_name == github.repository";

/** The jobs that run a script with keys. */
const keyedJobs = () => jobs().filter(([, { uses }]) => uses === RUN);

/** A script of the example, or of its package. */
const COMMAND = /(?:scripts\/[\w/-]+\.sh|npm \w+)/;

/** The commands that tests run by themselves, not by another script. */
function testedScripts(): Set<string> {
  const sources = readdirSync(TESTS)
    .filter((file) => file.endsWith(".test.ts") && file !== "workflows.test.ts")
    .map((file) => readFileSync(join(TESTS, file), "utf8"));
  const calls =
    /(?:run|start|succeed|fail|sent|runIn)\(\s*(?:clone,|await team\.clone\(\),)?\s*["`]([^"`]*)["`]/g;
  return new Set(
    sources
      .flatMap((source) => [...source.matchAll(calls)])
      .flatMap(([, command = ""]) => COMMAND.exec(command) ?? []),
  );
}

const except = <Value>(values: readonly Value[], holds: (value: Value) => boolean): Value[] =>
  values.filter((value) => !holds(value));

describe("the workflows of examples/gitops", () => {
  it("run nothing but scripts of the example that a test runs", () => {
    const tested = testedScripts();
    const commands = steps()
      .flatMap(({ run }) => run ?? [])
      .filter((command) => !/^npm ci$|"\$SCRIPT"/.test(command));
    const others = except(commands, (command) => tested.has(COMMAND.exec(command)?.[0] ?? ""));
    expect(commands).to.have.length.above(4);
    expect(others).to.deep.equal([]);
    const chosen = keyedJobs().map(([, job]) => job.with?.["script"] ?? "");
    expect(chosen).to.have.length.above(7);
    expect(except(chosen, (name) => tested.has(`scripts/${name}.sh`))).to.deep.equal([]);
  });

  it("put no expression into a command: what others write reaches it as a variable", () => {
    const commands = steps().flatMap(({ run }) => run ?? []);
    expect(commands.filter((command) => command.includes("${{"))).to.deep.equal([]);
    for (const text of texts()) expect(text).not.to.match(/head_ref|\.title|\.body/);
  });

  it("pin every action by its commit, and name its version", () => {
    const lines = texts().flatMap((text) => text.match(/uses: .*/g) ?? []);
    const unpinned = except(lines, (line) =>
      /^uses: (?:\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line),
    );
    expect(lines).to.have.length.above(10);
    expect(unpinned).to.deep.equal([]);
  });

  it("give no permission but to read, and more only to a job", () => {
    for (const [name, { permissions }] of Object.entries(workflows()))
      // Those of the one that is called are its caller's.
      expect(permissions, name).to.deep.equal(name === "run" ? undefined : { contents: "read" });
    for (const text of texts()) expect(text).not.to.contain("write-all");
  });

  it("never run with the rights of the repository for a fork", () => {
    for (const [name, { on }] of Object.entries(workflows())) {
      const events = typeof on === "string" ? [on] : Object.keys(on);
      expect(events, name).not.to.include("workflow_run");
      if (name !== "promotion") expect(events, name).not.to.include("pull_request_target");
    }
    const risky = jobs()
      .filter(([name]) => /^(?:pull-request|promotion)\//.test(name))
      .filter(([name, job]) => name.startsWith("promotion/") || job.uses === RUN)
      .filter(([, job]) => !job.if.includes(SAME_REPOSITORY));
    expect(risky.map(([name]) => name)).to.deep.equal([]);
  });

  it("give the keys of an environment to no job that checks out a branch", () => {
    const ofBranches = keyedJobs().filter(([name]) => name.startsWith("pull-request/"));
    for (const [name, job] of ofBranches)
      expect(job.with?.["environment"], name).to.equal("pull-request");
    const promotion = Object.fromEntries(jobs());
    const [checkout] = promotion["promotion/environments"]?.steps ?? [];
    for (const given of [checkout?.with, promotion["promotion/preview"]?.with])
      expect(given?.["ref"]).to.equal("${{ github.event.repository.default_branch }}");
    // What a job with other keys has left in a cache is not taken.
    for (const text of texts()) expect(text).not.to.match(/actions\/cache|^ *cache:/m);
    expect(texts().join("\n")).to.contain("package-manager-cache: false");
  });

  it("have keys in one place, which names an environment", () => {
    const withKeys = jobs().filter(([, job]) => JSON.stringify(job).includes("secrets."));
    expect(withKeys.map(([name]) => name)).to.deep.equal(["run/run"]);
    for (const [name, job] of [...keyedJobs(), ...withKeys])
      expect(job.with?.["environment"] ?? job.environment, name).to.be.a("string");
  });

  it("run on a stack one after the other, drop none that waits, and cancel none", () => {
    for (const [name, { concurrency }] of jobs().filter(([, { uses }]) => uses === undefined))
      if (concurrency) expect(concurrency, name).to.include({ queue: "max" });
    for (const [, { concurrency }] of Object.entries(workflows()))
      expect(concurrency, "a whole workflow would hold its group while a reviewer is awaited").to.be
        .undefined;
    expect(Object.fromEntries(jobs())["run/run"]?.concurrency).to.deep.equal({
      group: "${{ inputs.group }}",
      queue: "max",
      "cancel-in-progress": false,
    });
    for (const [name, job] of keyedJobs()) {
      const { script, group, environment } = job.with ?? {};
      if (environment !== "pull-request" && script !== "preview")
        expect(group, name).to.equal(environment);
    }
  });

  it("end each job after some time", () => {
    const endless = jobs().filter(
      ([, job]) => job.uses === undefined && job["timeout-minutes"] === undefined,
    );
    expect(endless.map(([name]) => name)).to.deep.equal([]);
  });
});

describe("the scripts of examples/gitops", () => {
  for (const script of scripts())
    it(`${script} is valid, short and stops at an error`, () => {
      const text = readExample(script);
      execFileSync("bash", ["-n", join(EXAMPLE, script)]);
      expect(statSync(join(EXAMPLE, script)).mode & 0o111, "executable").to.equal(0o111);
      expect(text).to.match(/^#!\/usr\/bin\/env bash\n(# .+\n)+set -euo pipefail\n/);
      if (!script.endsWith("/lib.sh")) expect(text.split("\n").length).to.be.below(46);
      // Neither prints a command with its values, nor puts a key on a command line.
      expect(text).not.to.match(/set -\w*x|API_KEY|PASSPHRASE/);
    });

  it("name in a report what changes: variables with both values, of text the lines that differ", () => {
    const args = [join(EXAMPLE, "scripts/report.mjs"), "Title", "Sentence", "7"];
    const input = `${JSON.stringify(PREVIEW, null, 4)}\nerror: no changes were expected for preview`;
    expect(execFileSync(process.execPath, args, { input, encoding: "utf8" })).to.equal(REPORT);
  });

  it("are all run by a test or by another script", () => {
    const called = scripts().flatMap((script) =>
      readExample(script)
        .split("\n")
        .filter((line) => !line.startsWith("#"))
        .flatMap((line) => line.match(/scripts\/[\w/-]+\.sh/g) ?? []),
    );
    // Every other one sources it.
    const known = new Set([...testedScripts(), ...called, "scripts/lib.sh"]);
    expect(scripts().filter((script) => !known.has(script))).to.deep.equal([]);
  });
});

const urn = (name: string, type = "pulumi-nodejs:dynamic/agentserver:Deployment") =>
  `urn:pulumi:staging::support-agent::${type}::${name}`;
const inputDiff = { kind: "update", inputDiff: true };
/** What `pulumi preview --json` prints, for values of each form. */
const PREVIEW = {
  steps: [
    { op: "refresh", urn: urn("support"), detailedDiff: { "env.A": inputDiff } },
    { op: "create", urn: urn("support-agent-staging", "pulumi:pulumi:Stack"), detailedDiff: null },
    {
      op: "update",
      urn: urn("support"),
      oldState: {
        inputs: {
          env: { MULTI: "line1\nline2\nline3", OLD: "x", QUOTED: 'say "hi"', "a.b": [1, 2] },
          secrets: { MODEL_API_KEY: "[secret]" },
          sourceConfig: { resourceSpec: { cpu: 1 } },
        },
      },
      newState: {
        inputs: {
          env: {
            EMPTY: "",
            MULTI: "line1\nline2b\nline3",
            QUOTED: "</details>~~~~",
            "a.b": [1, 3],
          },
          secrets: { MODEL_API_KEY: "[secret]" },
          sourceConfig: { resourceSpec: { cpu: 2 } },
        },
      },
      detailedDiff: {
        "env.EMPTY": { kind: "add", inputDiff: true },
        "env.MULTI": inputDiff,
        "env.OLD": { kind: "delete", inputDiff: true },
        "env.QUOTED": inputDiff,
        'env["a.b"][1]': inputDiff,
        "secrets.MODEL_API_KEY": inputDiff,
        "sourceConfig.resourceSpec.cpu": inputDiff,
        revisions: { kind: "update", inputDiff: false },
      },
    },
    { op: "create", urn: urn("second"), newState: { inputs: {} }, detailedDiff: null },
  ],
  diagnostics: [{ urn: urn("support"), message: "an update creates a new revision\n" }],
};
const REPORT = `Title

Sentence changes this:

~~~~~
support: update
  variable EMPTY added: ""
  variable MULTI:
    - line2
    + line2b
  variable OLD removed: x
  variable QUOTED: "say \\"hi\\"" → </details>~~~~
  env["a.b"][1]: 2 → 3
  variable MODEL_API_KEY: [secret]
  sourceConfig.resourceSpec.cpu: 1 → 2
second: create
~~~~~

<details><summary>What Pulumi says</summary>

~~~~~
support: an update creates a new revision
~~~~~

</details>
`;
