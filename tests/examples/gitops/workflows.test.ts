import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { EXAMPLE, jobs, readExample, scripts, steps, texts, workflows } from "./workflow-files";

const TESTS = join(REPOSITORY, "tests/examples/gitops");
/** The commands that change a stack. */
const WRITES =
  /scripts\/(?:environment|destroy-environment|release|promote|rollback|resume|sweep)\.sh/;
const SAME_REPOSITORY = "github.event.pull_request.head.repo.full_name == github.repository";

/** The scripts that tests run by themselves, not by another script. */
function testedScripts(): Set<string> {
  const sources = readdirSync(TESTS)
    .filter((file) => file.endsWith(".test.ts") && file !== "workflows.test.ts")
    .map((file) => readFileSync(join(TESTS, file), "utf8"));
  const calls =
    /(?:run|start|succeed|fail|sent|runIn)\(\s*(?:clone,|await team\.clone\(\),)?\s*["`]([^"`]*)["`]/g;
  return new Set(
    sources
      .flatMap((source) => [...source.matchAll(calls)])
      .flatMap(([, command = ""]) => command.match(/scripts\/[\w/-]+\.sh/g) ?? []),
  );
}

const hasKeys = (text: string): boolean => text.includes("secrets.");
const except = <Value>(values: readonly Value[], holds: (value: Value) => boolean): Value[] =>
  values.filter((value) => !holds(value));

describe("the workflows of examples/gitops", () => {
  it("run nothing but scripts of the example that a test runs", () => {
    const tested = testedScripts();
    const commands = steps().flatMap(({ run }) => run ?? []);
    const others = except(commands, (command) => {
      const [script = "", ...more] = command.match(/scripts\/[\w/-]+\.sh/g) ?? [];
      return command.startsWith(script) && [script, ...more].every((name) => tested.has(name));
    });
    expect(commands).to.have.length.above(10);
    expect(others).to.deep.equal([]);
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
    for (const { permissions } of Object.values(workflows()))
      expect(permissions).to.deep.equal({ contents: "read" });
    for (const text of texts()) expect(text).not.to.contain("write-all");
  });

  it("never run with the rights of the repository for a fork", () => {
    for (const { on } of Object.values(workflows()))
      expect(typeof on === "string" ? [on] : Object.keys(on)).not.to.include.oneOf([
        "pull_request_target",
        "workflow_run",
      ]);
    const risky = jobs()
      .filter(([name]) => name.startsWith("pull-request/"))
      .filter(([, job]) => hasKeys(JSON.stringify(job)) || job.permissions !== undefined)
      .filter(([, job]) => !job.if.includes(SAME_REPOSITORY));
    expect(risky.map(([name]) => name)).to.deep.equal([]);
  });

  it("have keys only in jobs with an environment, and production's only behind its reviewers", () => {
    for (const [name, job] of jobs()) {
      if (hasKeys(JSON.stringify(job))) expect(job.environment, name).to.be.a("string");
      if (/promote|rollback/.test(name)) expect(job.environment, name).to.equal("production");
    }
  });

  it("change a stack one job at a time, and never cancel one that has begun", () => {
    const unsafe = jobs()
      .filter(([, job]) => job.steps.some(({ run }) => run !== undefined && WRITES.test(run)))
      .filter(([, job, workflow]) => {
        const concurrency = job.concurrency ?? workflow.concurrency;
        return concurrency === undefined || concurrency["cancel-in-progress"];
      });
    expect(unsafe.map(([name]) => name)).to.deep.equal([]);
  });
});

describe("the scripts of examples/gitops", () => {
  for (const script of scripts())
    it(`${script} is valid, short and stops at an error`, () => {
      const text = readExample(script);
      execFileSync("sh", ["-n", join(EXAMPLE, script)]);
      expect(statSync(join(EXAMPLE, script)).mode & 0o111, "executable").to.equal(0o111);
      expect(text).to.match(/^#!\/bin\/sh\n(# .+\n)+set -eu\n/);
      expect(text.split("\n").length).to.be.below(42);
      // Neither prints a command with its values, nor puts a key on a command line.
      expect(text).not.to.match(/set -\w*x|API_KEY|PASSPHRASE/);
    });

  it("are all run by a test or by another script", () => {
    const called = scripts().flatMap((script) =>
      readExample(script)
        .split("\n")
        .filter((line) => !line.startsWith("#"))
        .flatMap((line) => line.match(/scripts\/[\w/-]+\.sh/g) ?? []),
    );
    const known = new Set([...testedScripts(), ...called]);
    expect(scripts().filter((script) => !known.has(script))).to.deep.equal([]);
  });
});
