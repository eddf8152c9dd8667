import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { REPOSITORY } from "../../scripts/project";

interface Job {
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = ".github/workflows";
const textsOf = (folder: string): string[] =>
  readdirSync(join(REPOSITORY, folder)).map((name) =>
    readFileSync(join(REPOSITORY, folder, name), "utf8"),
  );
const workflows: readonly Workflow[] = textsOf(FOLDER).map((text) => parse(text));
const jobs = workflows.flatMap((workflow) => Object.entries(workflow.jobs));
const commands = jobs.flatMap(([, job]) => job.steps.flatMap(({ run }) => run ?? []));

/** What the workflows may run: each is run by tests, or is how these are run. */
const TESTED = [
  /^npm ci( --ignore-scripts)?$/,
  /^npm test$/,
  /^npm run test:(all|oldest)$/,
  /^node lab\/bench-nightly\.mjs npm run --silent bench$/,
  /^node scripts\/release\.mjs( [a-z]+)+$/,
];

describe("the workflows of this repository", () => {
  it("run nothing but scripts that tests run", () => {
    const others = commands.filter((command) => !TESTED.some((known) => known.test(command)));
    expect(commands).to.have.length.above(8);
    expect(others).to.deep.equal([]);
  });

  it("take each step of a release, in its order", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/release.mjs"], {
      cwd: REPOSITORY,
      encoding: "utf8",
    });
    const steps = [...stderr.matchAll(/^ {2}(\w+) /gm)].map(([, step = ""]) => step);
    const taken = commands.flatMap(
      (command) => /release\.mjs (.*)/.exec(command)?.[1]?.split(" ") ?? [],
    );
    // The tests' job checks first what the other one checks again.
    expect(taken).to.deep.equal(["check", ...steps]);
  });

  it("use the actions of examples/gitops, pinned by their commits", () => {
    const known = textsOf(`examples/gitops/${FOLDER}`).concat(
      textsOf("examples/gitops/.github/actions/setup"),
    );
    const pins = new Set(
      known.flatMap((text) => text.match(/uses: \S+@[0-9a-f]{40} # v.*/g) ?? []),
    );
    const used = textsOf(FOLDER).flatMap((text) => text.match(/uses: .*/g) ?? []);
    expect(used.filter((line) => !pins.has(line))).to.deep.equal([]);
  });

  it("may read only, write what a job says, and end", () => {
    for (const { permissions } of workflows)
      expect(permissions).to.deep.equal({ contents: "read" });
    for (const [name, job] of jobs) expect(job["timeout-minutes"], name).to.be.a("number");
    const more = jobs.filter(([, { permissions }]) => permissions !== undefined);
    expect(
      Object.fromEntries(more.map(([name, { permissions }]) => [name, permissions])),
    ).to.deep.equal({
      bench: { contents: "write" },
      publish: { contents: "write", "id-token": "write" },
    });
  });
});
