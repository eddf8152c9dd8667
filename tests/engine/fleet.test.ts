import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import { type Running, start } from "../../lab/processes";
import type { Deployment } from "../../sdk/schema";
import { useExample } from "../support/by-hand";
import { describeLong } from "../support/tiers";

const TENANTS = ["alder", "ash", "aspen", "beech"];

describeLong("the example of a fleet of tenants, as its README says to type it", () => {
  const example = useExample("fleet", "fleet");
  const admin = () => example().test.platform.admin;
  /** The list holds these tenants, each with this version. */
  const list = (version: string, ...names: readonly string[]) => {
    const tenants = names.map((name) => ({ name, version, deploymentType: "dev" }));
    return writeFile(join(example().dir, "tenants.json"), JSON.stringify(tenants));
  };
  const fleet = (...words: string[]): Running["finished"] => {
    const { dir, environment } = example();
    const PATH = `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`;
    const env = { ...process.env, ...environment, PATH, PULUMI_SKIP_UPDATE_CHECK: "true" };
    return start("node", ["bin/fleet.js", ...words], { cwd: dir, env }).finished;
  };
  const variables = ({ secrets }: Deployment) =>
    Object.fromEntries((secrets ?? []).map(({ name, value }) => [name, value]));
  const deployment = async (tenant: string): Promise<Deployment> => {
    const all = await example().test.deployments();
    const found = all.find((each) => variables(each)["TENANT"] === tenant);
    if (!found) throw new Error(`no deployment of ${tenant}`);
    return found;
  };
  const refOf = async (tenant: string) =>
    (await deployment(tenant)).source_revision_config.repo_ref;
  const stackFile = (tenant: string) => join(example().dir, `Pulumi.${tenant}.yaml`);
  /** The cells of each tenant in the printed table: outcome, attempts, detail. */
  const tableIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+) {2,}(\w+(?: \w+)*) {2,}(\d+) {2,}[\d.]+ *(.*)$/gm)].map(
        ([, tenant = "", outcome = "", attempts = "", detail = ""]) => [
          tenant,
          { outcome, attempts: Number(attempts), detail },
        ],
      ),
    );
  const outcomesIn = (text: string) =>
    Object.entries(tableIn(text)).map(([tenant, { outcome }]) => `${tenant}: ${outcome}`);
  const failBuilds = (count: number, deploymentId?: string) => {
    const failure = { stage: "build", status: "BUILD_FAILED", reason: "no disk left" } as const;
    for (let at = 0; at < count; at += 1) admin().addOutcome({ deploymentId, ...failure });
  };

  before(async () => {
    await list("v1.4.0", ...TENANTS);
    await example().typed(example().blocks[2] ?? "");
  });

  it("creates a deployment with a key of its own for each tenant, tries one again whose build failed, and shows no key", async () => {
    failBuilds(1);
    const { code, text } = await fleet("up", "--parallel", "2");
    expect(code, text).to.equal(0);
    const table = tableIn(text);
    expect(Object.keys(table)).to.deep.equal(TENANTS);
    expect(Object.values(table).map(({ attempts }) => attempts)).to.have.members([1, 1, 1, 2]);
    expect(text).to.contain("4 tenants: 4 done").and.contain("BUILD_FAILED");
    expect(text).to.contain("[1 of 4, failed: 1] alder: failed").and.contain("[4 of 4, failed: 0]");
    expect(await readFile(stackFile("alder"), "utf8"), "its part of 64 requests").to.contain(
      'agentserver:maxConcurrentRequests: "32"',
    );
    for (const tenant of TENANTS) {
      const made = await deployment(tenant);
      expect(table[tenant]).to.include({ outcome: "done", detail: made.url });
      const MODEL_API_KEY = `not-a-real-key-of-${tenant}`;
      expect(variables(made)).to.deep.equal({ MODEL_API_KEY, TENANT: tenant });
    }
    const entries = await readdir(example().dir, { recursive: true, withFileTypes: true });
    // The README has the keys of its example.
    const files = entries.filter((entry) => entry.isFile() && entry.name !== "README.md");
    expect(files.map(({ name }) => name)).to.include.members(["alder.log", "alder.json"]);
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), "utf8"), name).not.to.contain("not-a-real-key");
  });

  it("starts no update where nothing changed, and shows what a release changes without changing anything", async () => {
    admin().clearRequests();
    const { code, text } = await fleet("up");
    expect(code, text).to.equal(0);
    expect(text).to.contain("4 tenants: 4 up to date");
    expect(admin().requests()).to.be.empty;
    await list("v1.5.0", ...TENANTS, "birch");
    const preview = await fleet("preview", "--json");
    const results: { tenant: string; detail: string }[] = JSON.parse(
      preview.text.split("\n").at(-2) ?? "",
    );
    expect(results.map(({ tenant, detail }) => `${tenant}: ${detail}`)).to.deep.equal([
      ...TENANTS.map((tenant) => `${tenant}: 1 update`),
      "birch: its stack is created",
    ]);
    expect(await refOf("alder")).to.equal("refs/tags/v1.4.0");
  });

  it("starts no further wave where a tenant fails at each attempt, and works in the next run on those alone", async () => {
    await list("v1.5.0", ...TENANTS);
    failBuilds(2, (await deployment("ash")).id);
    const { code, text } = await fleet("up", "--parallel", "2");
    expect(code).to.equal(1);
    const expected = ["alder: done", "ash: failed", "aspen: not started", "beech: not started"];
    expect(outcomesIn(text)).to.deep.equal(expected);
    expect(tableIn(text)["ash"]?.detail).to.match(
      /^deployment 'support-.* ended with BUILD_FAILED/,
    );
    expect(await refOf("beech")).to.equal("refs/tags/v1.4.0");
    // One that fails in a wave leaves the others of it.
    failBuilds(2, (await deployment("aspen")).id);
    const next = await fleet("up", "--parallel", "2");
    expect(outcomesIn(next.text)).to.deep.equal([
      "alder: up to date",
      "ash: done",
      "beech: done",
      "aspen: failed",
    ]);
    expect(await refOf("beech")).to.equal("refs/tags/v1.5.0");
  });

  it("does not try a tenant twice whose program fails", async () => {
    const file = await readFile(stackFile("aspen"), "utf8");
    await writeFile(stackFile("aspen"), file.replace(/ {2}fleet:modelApiKey:\n.*\n/, ""));
    const { text } = await fleet("up");
    expect(tableIn(text)["aspen"]).to.include({ outcome: "failed", attempts: 1 });
    expect(tableIn(text)["aspen"]?.detail).to.contain("modelApiKey");
    await writeFile(stackFile("aspen"), file);
    expect((await fleet("up")).text).to.contain("4 tenants: 3 up to date, 1 done");
  });

  it("leaves a tenant alone that is removed from the list, until its destruction is asked for", async () => {
    await list("v1.5.0", "alder", "ash", "aspen");
    for (const [words, printed, left] of [
      [["up"], "not in tenants.json, left alone: beech", 4],
      [["destroy", "beech"], "destroy asks first: run it in a terminal, or add --yes", 4],
      [["destroy", "beech", "--yes"], "beech", 3],
      [["destroy", "ash"], "destroy ash: remove it from tenants.json first", 3],
    ] as const) {
      expect((await fleet(...words)).text).to.contain(printed);
      expect(await example().test.deployments()).to.have.length(left);
    }
  });
});
