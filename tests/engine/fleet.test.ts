import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import type { Deployment } from "../../sdk/schema";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { type Running, start } from "../../scripts/processes";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const README = "examples/fleet/README.md";
const TENANTS = ["alder", "ash", "aspen", "beech"];

describeLong("the example of a fleet of tenants, as its README says to type it", () => {
  let root: Root;
  let test: TestPlatform;

  const dir = () => join(root.dir, ".agentserver/fleet");
  const environment = () => ({
    PATH: `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`,
    PULUMI_BACKEND_URL: `file://${join(dir(), "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "only-for-trying",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    AGENTSERVER_BASE_URL: test.platform.url,
    AGENTSERVER_API_KEY: test.platform.apiKey,
    AGENTSERVER_WORKSPACE_ID: test.platform.workspaceId,
  });
  /** The list holds these tenants, each with this version. */
  const list = (version: string, ...names: readonly string[]) => {
    const tenants = names.map((name) => ({ name, version, deploymentType: "dev" }));
    return writeFile(join(dir(), "tenants.json"), JSON.stringify(tenants));
  };
  const fleet = (...words: string[]): Running =>
    start("node", ["bin/fleet.js", ...words], {
      cwd: dir(),
      env: { ...process.env, ...environment() },
    });
  const variables = ({ secrets }: Deployment) =>
    Object.fromEntries((secrets ?? []).map(({ name, value }) => [name, value]));
  const deployment = async (tenant: string): Promise<Deployment> => {
    const found = (await test.deployments()).find((each) => variables(each)["TENANT"] === tenant);
    if (!found) throw new Error(`no deployment of ${tenant}`);
    return found;
  };
  const refOf = async (tenant: string) =>
    (await deployment(tenant)).source_revision_config.repo_ref;
  const stackFile = (tenant: string) => readFile(join(dir(), `Pulumi.${tenant}.yaml`), "utf8");
  const revisionsOf = async (tenant: string) => test.revisions((await deployment(tenant)).id);
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
    const outcome = {
      deploymentId,
      stage: "build",
      status: "BUILD_FAILED",
      reason: "no disk left",
    } as const;
    for (let at = 0; at < count; at += 1) test.platform.admin.addOutcome(outcome);
  };

  before(async () => {
    root = await makeRoot();
    test = await startTestPlatform({ dataDir: join(root.dir, ".agentserver") });
    const [, copy = "", keys = ""] = await commandsOf(README, "Try it");
    await type(copy, root.dir);
    await list("v1.4.0", ...TENANTS);
    await type(keys, dir(), environment());
  });
  after(async () => {
    await test.close();
    await root.remove();
  });

  it("creates a deployment for each tenant, and tries one again whose build failed", async () => {
    failBuilds(1);
    const { code, text } = await fleet("up", "--parallel", "2").finished;
    expect(code, text).to.equal(0);
    const table = tableIn(text);
    expect(Object.keys(table)).to.deep.equal(TENANTS);
    expect(Object.values(table).map(({ attempts }) => attempts)).to.have.members([1, 1, 1, 2]);
    expect(text).to.contain("4 tenants: 4 done").and.contain("BUILD_FAILED");
    expect(text).to.contain("[1 of 4, failed: 1] alder: failed").and.contain("[4 of 4, failed: 0]");
    expect(await stackFile("alder"), "its part of 64 requests").to.contain(
      'agentserver:maxConcurrentRequests: "32"',
    );
    for (const tenant of TENANTS) {
      const { url = "" } = await deployment(tenant);
      expect(table[tenant]).to.include({ outcome: "done", detail: url });
      expect(await revisionsOf(tenant)).to.have.length(table[tenant]?.attempts ?? 0);
    }
  });

  it("gives each tenant its own key, and shows none in the output, the logs or the states", async () => {
    for (const tenant of TENANTS)
      expect(variables(await deployment(tenant))).to.deep.equal({
        MODEL_API_KEY: `not-a-real-key-of-${tenant}`,
        TENANT: tenant,
      });
    const entries = await readdir(dir(), { recursive: true, withFileTypes: true });
    // The README has the keys of its example.
    const files = entries.filter((entry) => entry.isFile() && entry.name !== "README.md");
    expect(files.map(({ name }) => name)).to.include.members(["alder.log", "alder.json"]);
    for (const { parentPath, name } of files)
      expect(await readFile(join(parentPath, name), "utf8"), name).not.to.contain("not-a-real-key");
  });

  it("starts no update where nothing changed since the last one succeeded", async () => {
    test.platform.admin.clearRequests();
    const { code, text } = await fleet("up").finished;
    expect(code, text).to.equal(0);
    expect(text).to.contain("4 tenants: 4 up to date");
    expect(test.platform.admin.requests()).to.be.empty;
  });

  it("shows what a release changes, and changes nothing", async () => {
    await list("v1.5.0", ...TENANTS, "birch");
    const { code, text } = await fleet("preview", "--json").finished;
    expect(code, text).to.equal(0);
    const results: { tenant: string; detail: string }[] = JSON.parse(text.split("\n").at(-2) ?? "");
    expect(Object.fromEntries(results.map(({ tenant, detail }) => [tenant, detail]))).to.deep.equal(
      {
        alder: "1 update",
        ash: "1 update",
        aspen: "1 update",
        beech: "1 update",
        birch: "its stack is created",
      },
    );
    expect(await refOf("alder")).to.equal("refs/tags/v1.4.0");
  });

  it("starts no further wave where a tenant fails at each attempt, and ends with exit code 1", async () => {
    await list("v1.5.0", ...TENANTS);
    failBuilds(2, (await deployment("ash")).id);
    const { code, text } = await fleet("up", "--parallel", "2").finished;
    expect(code).to.equal(1);
    expect(outcomesIn(text)).to.deep.equal([
      "alder: done",
      "ash: failed",
      "aspen: not started",
      "beech: not started",
    ]);
    expect(tableIn(text)["ash"]).to.include({ attempts: 2 });
    expect(tableIn(text)["ash"]?.detail).to.match(
      /^deployment 'support-.* ended with BUILD_FAILED/,
    );
    expect(await refOf("alder")).to.equal("refs/tags/v1.5.0");
    expect(await refOf("beech")).to.equal("refs/tags/v1.4.0");
  });

  it("works in the next run on those alone, and releases to all others of a wave where one fails", async () => {
    failBuilds(2, (await deployment("aspen")).id);
    const { code, text } = await fleet("up", "--parallel", "2").finished;
    expect(code).to.equal(1);
    expect(outcomesIn(text)).to.deep.equal([
      "alder: up to date",
      "ash: done",
      "beech: done",
      "aspen: failed",
    ]);
    expect(await refOf("beech")).to.equal("refs/tags/v1.5.0");
  });

  it("does not try a tenant twice whose program fails", async () => {
    const file = await stackFile("aspen");
    await writeFile(
      join(dir(), "Pulumi.aspen.yaml"),
      file.replace(/ {2}fleet:modelApiKey:\n.*\n/, ""),
    );
    const { code, text } = await fleet("up").finished;
    expect(code).to.equal(1);
    expect(tableIn(text)["aspen"]).to.include({ outcome: "failed", attempts: 1 });
    expect(tableIn(text)["aspen"]?.detail).to.contain("modelApiKey");
    await writeFile(join(dir(), "Pulumi.aspen.yaml"), file);
    const again = await fleet("up").finished;
    expect(again.text).to.contain("4 tenants: 3 up to date, 1 done");
  });

  it("leaves a tenant alone that is removed from the list, until its destruction is asked for", async () => {
    await list("v1.5.0", "alder", "ash", "aspen");
    const { code, text } = await fleet("up").finished;
    expect(code, text).to.equal(0);
    expect(text).to.contain("not in tenants.json, left alone: beech");
    const unasked = await fleet("destroy", "beech").finished;
    expect(unasked.text).to.contain("destroy asks first: run it in a terminal, or add --yes");
    expect(await test.deployments()).to.have.length(4);
    const destroyed = await fleet("destroy", "beech", "--yes").finished;
    expect(destroyed.code, destroyed.text).to.equal(0);
    expect(await test.deployments()).to.have.length(3);
    expect((await fleet("up").finished).text).not.to.contain("beech");
  });

  it("refuses to destroy a tenant that the list has", async () => {
    const { code, text } = await fleet("destroy", "ash").finished;
    expect(code).to.equal(1);
    expect(text).to.contain("destroy ash: remove it from tenants.json first");
    expect(await test.deployments()).to.have.length(3);
  });
});
