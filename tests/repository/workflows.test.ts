import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { REPOSITORY } from "../../scripts/project";

interface Job {
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string }[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const textsOf = (folder: string): string[] => {
  const names = readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".yaml"));
  return files.map((name) => readFileSync(join(REPOSITORY, folder, name), "utf8"));
};
const texts = textsOf(".github/workflows");
const workflows: readonly Workflow[] = texts.map((text) => parse(text));
const jobs = workflows.flatMap((workflow) => Object.entries(workflow.jobs));
const commands = jobs.flatMap(([, job]) => job.steps.flatMap(({ run }) => run ?? []));

describe("the workflows of this repository", () => {
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

  it("pin every action by its commit, may read only, write what a job says, and end", () => {
    const all = [...texts, ...textsOf("examples/gitops/.github")];
    const uses = all.flatMap((text) => text.match(/uses: (?!\.\/).*/g) ?? []);
    expect(uses).to.have.length.above(10);
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d/.test(line))).to.deep.equal([]);
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
