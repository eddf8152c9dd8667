import { execFile } from "node:child_process";
import { mkdir, readdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { z } from "zod";
import type { Driver, Revision } from "../../../../local/drivers/driver";
import { processDriver, type ProcessDriverOptions } from "../../../../local/drivers/process";
import { Folders } from "../../../../local/drivers/process/folders";
import { createLauncher } from "../../../../local/drivers/process/launch";
import { Keeper } from "../../../../local/drivers/process/keeper/keeper";
import { rejection } from "../../../support/rejection";
import { standingClock } from "../../../support/clock";
import { aFolder, processesWith, removeFolder } from "../../children";
import { makeRepository, type Repository } from "../../repository";
import { aRevision } from "./servers/scripted";
import { which } from "../../which";
import { TINY_AGENT } from "./tiny-agent";

const About = z.object({
  cwd: z.string(),
  graphs: z.record(z.string(), z.string()),
  rest: z.record(z.string(), z.unknown()),
  env: z.record(z.string(), z.string()),
});

describe("processDriver with a JavaScript graph that brings its server", () => {
  let folder: string;
  let dataDir: string;
  let repository: Repository;
  let driver: Driver;
  let log: string[];

  const start = (options: Partial<ProcessDriverOptions> = {}) =>
    processDriver({ dataDir, maxServers: 3, clock: standingClock(), ...options });

  beforeEach(async () => {
    folder = await aFolder();
    dataDir = join(folder, "data");
    repository = await makeRepository(join(folder, "repository"), TINY_AGENT);
    await mkdir(dataDir);
    driver = start();
    log = [];
  });
  afterEach(async () => {
    await driver.close();
    expect(await processesWith(dataDir), "processes left").to.deep.equal([]);
    await removeFolder(folder);
  });

  /** Builds the newest commit. */
  async function built(id: string, changes: Partial<Revision> = {}): Promise<Revision> {
    log = [];
    const work = { signal: new AbortController().signal, log: (line: string) => log.push(line) };
    const where = { repo_ref: "main", graph_config_path: "langgraph.json" };
    const revision = aRevision(id, "one", {
      source: "git_host",
      sourceRevisionConfig: where,
      ...changes,
      sourceConfig: { repo_url: repository.url, ...changes.sourceConfig },
    });
    const { repoCommitSha } = await driver.create({ revision, ...work });
    const sourceRevisionConfig = { ...where, repo_commit_sha: repoCommitSha };
    const found = { ...revision, sourceRevisionConfig };
    await driver.build({ revision: found, ...work });
    return found;
  }
  async function deployed(id: string, changes: Partial<Revision> = {}): Promise<Revision> {
    const revision = await built(id, changes);
    log = [];
    const signal = new AbortController().signal;
    await driver.deploy({ revision, signal, log: (line) => log.push(line) });
    return revision;
  }
  const about = async () => About.parse(await (await fetch(await driver.origin("one"))).json());
  const checkout = (id: string) => join(dataDir, "deployments/one/revisions", id, "checkout");

  it("installs with the package manager of the lock file, and says so", async () => {
    await built("r1");
    expect(log).to.include.members([
      "using the real JavaScript server",
      "$ npm ci",
      "the repository brings @langchain/langgraph-api",
    ]);
  });

  it("installs once for all commits with the same lock file", async () => {
    await built("r1");
    await repository.commit({ "agent.mjs": `${TINY_AGENT["agent.mjs"]}// changed\n` });
    await built("r2");
    expect(log).to.include(
      "using cached packages: an earlier build installed them from the same files",
    );
    expect(log).to.not.include("$ npm ci");
    await repository.commit({ "package-lock.json": `${TINY_AGENT["package-lock.json"]}\n` });
    await built("r3");
    expect(log).to.include("$ npm ci");
  });

  it("installs once when two builds ask at the same time", async () => {
    await Promise.all([built("r1"), built("r2")]);
    expect(log.filter((line) => line === "$ npm ci")).to.have.length(1);
  });

  it("links packages, so that what a build writes into node_modules stays in its checkout", async () => {
    const commands = { build_command: "touch node_modules/written" };
    await built("r1", { sourceConfig: commands });
    await built("r2");
    expect(await readdir(join(checkout("r1"), "node_modules"))).to.include("written");
    expect(await readdir(join(checkout("r2"), "node_modules"))).to.not.include("written");
    const server = join(checkout("r2"), "node_modules/@langchain/langgraph-api");
    expect(await realpath(server)).to.equal(join(checkout("r2"), "packages/api"));
  });

  const withScript = (postinstall: string) => {
    const { name, dependencies } = JSON.parse(TINY_AGENT["package.json"]);
    return { "package.json": JSON.stringify({ name, dependencies, scripts: { postinstall } }) };
  };

  it("installs in every build when the install makes other files too", async () => {
    await repository.commit(withScript("node -e \"fs.writeFileSync('made.txt', '')\""));
    await built("r1");
    expect(log).to.include("not caching the packages: the install changed made.txt too");
    await built("r2");
    expect(log).to.include("$ npm ci");
    expect(await readdir(checkout("r2"))).to.include("made.txt");
  });

  it("installs for every commit when the install runs scripts of the repository", async () => {
    await repository.commit(withScript("node -e \"fs.writeFileSync('node_modules/made', '')\""));
    await built("r1");
    await built("r2");
    expect(log).to.not.include("$ npm ci");
    await repository.commit({ "schema.txt": "changed" });
    await built("r3");
    expect(log).to.include("$ npm ci");
  });

  it("runs the install command that is given instead", async () => {
    await built("r1", { sourceConfig: { install_command: "npm ci --ignore-scripts" } });
    expect(log).to.include("$ npm ci --ignore-scripts").and.to.not.include("$ npm ci");
  });

  it("fails with the last lines of an install that fails, and keeps nothing of it", async () => {
    await repository.commit({ "package-lock.json": "{}" });
    const { message } = await rejection(built("r1"));
    expect(message).to.match(/^'npm ci' exited with code 1: npm /);
    expect(log).to.include.members(message.split("\n").slice(1));
    expect(await readdir(dataDir)).to.not.include("cache");
  });

  it("says what to install when the package manager is missing", async () => {
    await repository.commit({ "yarn.lock": "" });
    const bin = join(folder, "bin");
    await mkdir(bin);
    for (const name of ["git", "sh", "grep", "cut", "sleep"])
      await symlink(await which(name), join(bin, name));
    driver = start({ environment: { PATH: bin } });
    expect((await rejection(built("r1"))).message).to.equal(
      "yarn is not installed, but yarn.lock needs it; install it and add it to PATH",
    );
  });

  it("fails when the install does not make node_modules", async () => {
    const { message } = await rejection(built("r1", { sourceConfig: { install_command: "ls" } }));
    expect(message).to.match(/^the packages were not installed into node_modules; configure/);
  });

  it("gives the server all of the configuration, and names in the log what it does not take", async () => {
    const graphs = { agent: { path: "./agent.mjs:graph", description: "x" } };
    const taken = { ui: { agent: "./agent.mjs" }, http: { disable_meta: true } };
    const config = { graphs, ...taken, image_distro: "wolfi", uis: {} };
    await repository.commit({ "langgraph.json": JSON.stringify(config) });
    await deployed("r1");
    const { rest, graphs: served } = await about();
    expect(rest).to.deep.include(taken);
    expect(served).to.deep.equal({ agent: "./agent.mjs:graph" });
    await built("r2");
    expect(log).to.include(
      "graph configuration: without effect on this platform: image_distro; unknown member 'uis'; did you mean ui?",
    );
  });

  it("runs the graphs in the configuration's folder, and ends well", async () => {
    await deployed("r1");
    expect(log[0]).to.equal("starting the real JavaScript server");
    expect(await about()).to.deep.include({
      cwd: checkout("r1"),
      graphs: { agent: "./agent.mjs:graph" },
    });
    await driver.close();
    expect(await readdir(checkout("r1"))).to.include("flushed");
  });

  it("lays the deployment's variables over those of the configuration", async () => {
    const graphs = { agent: "./agent.mjs:graph" };
    const env = { MODEL: "small", SHOP: "configured", PATH: "/x" };
    await repository.commit({ "langgraph.json": JSON.stringify({ graphs, env }) });
    await deployed("r1", { secrets: [{ name: "SHOP", value: "declared" }] });
    const server = await about();
    expect(server.env).to.include({ MODEL: "small", SHOP: "declared" });
    expect(server.env["PATH"]).to.not.equal("/x");
  });

  it("writes a secret nowhere, and passes it in the environment alone", async () => {
    await deployed("r1", { secrets: [{ name: "MODEL_API_KEY", value: "secret-CANARY" }] });
    expect((await about()).env).to.include({ MODEL_API_KEY: "secret-CANARY" });
    const grep = promisify(execFile)("grep", ["-rl", "CANARY", dataDir]);
    expect(await rejection(grep)).to.have.property("code", 1); // found nothing
    const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "args"]);
    expect(stdout).to.not.contain("secret-CANARY");
  });

  it("fails the deploy with the words of a graph that can't be imported", async () => {
    await repository.commit({ "agent.mjs": "import 'no-such-package';" });
    const { message } = await rejection(deployed("r1"));
    expect(message).to.match(
      /^the server exited with code 1: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'no-such-package'/,
    );
  });

  it("fails the deploy when the export is not a graph", async () => {
    await repository.commit({ "agent.mjs": "export const graph = 'text';" });
    const { message } = await rejection(deployed("r1"));
    expect(message).to.match(
      /^the server exited with code 1: TypeError: graph 'agent' cannot be used: export 'graph' of .\/agent.mjs is not a graph\n/,
    );
  });

  it("starts the same server after a restart, without a build", async () => {
    const revision = await deployed("r1");
    await driver.close();
    driver = start();
    driver.restore(() => [revision]);
    expect(await about()).to.deep.include({ cwd: checkout("r1") });
  });

  it("keeps the threads of such a server in a folder of the revision's own", async () => {
    const revision = await built("r1");
    const folders = new Folders(dataDir);
    const parts = { keeper: new Keeper(dataDir), folders, environment: {}, serverScript: "" };
    const launcher = createLauncher({ ...parts, serverLog: () => {} });
    expect(await launcher.stateFolder(revision)).to.deep.equal({
      path: join(checkout("r1"), ".langgraph_api"),
      format: "javascript",
    });
    expect(await launcher.stateFolder(aRevision("image"))).to.equal(undefined);
  });
});
