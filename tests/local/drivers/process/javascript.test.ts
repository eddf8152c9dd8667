import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { z } from "zod";
import { Folders } from "../../../../local/drivers/process/folders";
import { createLauncher } from "../../../../local/drivers/process/launch";
import { Keeper } from "../../../../local/drivers/process/keeper/keeper";
import { rejection } from "../../../support/rejection";
import { Scene } from "./scene";
import { aRevision } from "./servers/scripted";
import { TINY_AGENT } from "./tiny-agent";

const About = z.object({
  cwd: z.string(),
  graphs: z.record(z.string(), z.string()),
  rest: z.record(z.string(), z.unknown()),
  env: z.record(z.string(), z.string()),
});

describe("processDriver with a JavaScript graph that brings its server", () => {
  const scene = new Scene(TINY_AGENT);
  const about = async () => About.parse(await scene.get());
  const checkout = (id: string) => scene.pathOf(id, "checkout");
  const modules = (id: string) => readdir(join(checkout(id), "node_modules"));
  const commitConfig = (config: object) =>
    scene.repository.commit({ "langgraph.json": JSON.stringify(config) });

  it("installs once for all commits with the same lock files, by its package manager, and says so", async () => {
    await scene.built("r1");
    expect(scene.log).to.include.members([
      "using the real JavaScript server",
      "$ npm ci",
      "the repository brings @langchain/langgraph-api",
    ]);
    await scene.repository.commit({ "agent.mjs": `${TINY_AGENT["agent.mjs"]}// changed\n` });
    await scene.built("r2");
    expect(scene.log.join("\n")).to.contain("using cached packages").and.not.contain("$ npm ci");
    for (const name of ["package-lock.json", "bun.lock"]) {
      await scene.repository.commit({ [name]: `${TINY_AGENT["package-lock.json"]}\n` });
      await scene.built("r3");
      expect(scene.log).to.include("$ npm ci");
    }
    expect(scene.log.join("\n")).to.contain("bun.lock is not read, as by the public tools; to use");
  });

  it("links packages, so that what a build writes into node_modules stays in its checkout; a build may create a graph's file", async () => {
    await commitConfig({ graphs: { agent: "./built.mjs:graph" } });
    const building = (build_command: string) => ({ sourceConfig: { build_command } });
    await scene.built("r1", building("touch node_modules/written && cp agent.mjs built.mjs"));
    await scene.built("r2", building("cp agent.mjs built.mjs"));
    const installing = { sourceConfig: { install_command: "npm ci && cp agent.mjs built.mjs" } };
    await scene.built("r4", installing);
    const { message } = await rejection(scene.built("r3", building("true")));
    expect(message).to.match(/'built.mjs' not found .* build_command that creates it$/);
    expect(await modules("r1")).to.include("written");
    expect(await modules("r2")).to.not.include("written");
    const server = join(checkout("r2"), "node_modules/@langchain/langgraph-api");
    expect(await realpath(server)).to.equal(join(checkout("r2"), "packages/api"));
  });

  it("installs for every commit when the install runs scripts of the repository, in every build when these make other files", async () => {
    const manifest = JSON.parse(TINY_AGENT["package.json"]);
    for (const path of ["node_modules/made", "made.mjs"]) {
      if (path === "made.mjs") await commitConfig({ graphs: { agent: "./made.mjs:graph" } });
      const scripts = { postinstall: `node -e "fs.writeFileSync('${path}', '')"` };
      await scene.repository.commit({ "package.json": JSON.stringify({ ...manifest, scripts }) });
      await scene.built("r1");
      expect(scene.log).to.include("$ npm ci");
      const uncached = scene.log.includes(
        `not caching the packages: the install changed ${path} too`,
      );
      await scene.built("r2");
      for (const found of [uncached, scene.log.includes("$ npm ci")])
        expect(found).to.equal(path === "made.mjs");
      expect(await readdir(join(checkout("r2"), dirname(path)))).to.include(basename(path));
    }
  });

  it("fails with the last lines of an install that fails or makes no node_modules, keeps nothing of it, and says what to install when the package manager is missing or langgraph too old", async () => {
    const none = await rejection(scene.built("r1", { sourceConfig: { install_command: "ls" } }));
    expect(none.message).to.match(/^the packages were not installed into node_modules/);
    await scene.repository.commit({ "package-lock.json": "{}" });
    const { message } = await rejection(scene.built("r1"));
    expect(message).to.match(/^'npm ci' exited with code 1: npm /);
    expect(scene.log).to.include.members(message.split("\n").slice(1));
    expect(await readdir(scene.dataDir)).to.not.include("cache");
    await scene.repository.commit({ "old/@langchain/langgraph/package.json": '{"exports":{}}' });
    const copied = { sourceConfig: { install_command: "cp -r old node_modules" } };
    const old = await rejection(scene.built("r1", copied));
    expect(old.message).to.match(/^the repository's .* older than 1.4.0, .*; update it, or add/);
    await scene.repository.commit({ "yarn.lock": "" });
    scene.start({ environment: await scene.link() });
    const missing = await rejection(scene.built("r1"));
    expect(missing.message).to.match(/^yarn is not installed, but yarn.lock needs it; install it/);
  });

  it("gives the server all of the configuration, and names in the log what it does not take", async () => {
    const graphs = { agent: { path: "./agent.mjs:graph", description: "x" } };
    const taken = { ui: { agent: "./agent.mjs" }, http: { disable_meta: true } };
    await commitConfig({ $schema: "", graphs, ...taken, image_distro: "wolfi", uis: {} });
    await scene.deployed("r1");
    const { rest, graphs: served } = await about();
    expect(rest).to.deep.include(taken);
    expect(served).to.deep.equal({ agent: "./agent.mjs:graph" });
    await scene.built("r2");
    const without = /: without effect .*: image_distro; unknown member 'uis'; did you mean/;
    expect(scene.log.join("\n")).to.match(without);
  });

  it("runs the graphs in the configuration's folder, with threads in a folder of the revision's own, and ends well", async () => {
    const revision = await scene.deployed("r1");
    expect(scene.log[0]).to.equal("starting the real JavaScript server");
    const { cwd, graphs } = await about();
    expect([cwd, graphs]).to.deep.equal([checkout("r1"), { agent: "./agent.mjs:graph" }]);
    await scene.driver.close();
    expect(await readdir(checkout("r1"))).to.include("flushed");
    const [keeper, folders] = [new Keeper(scene.dataDir), new Folders(scene.dataDir)];
    const others = { environment: {}, serverScript: "", serverLog: () => {} };
    const launcher = createLauncher({ keeper, folders, ...others });
    const path = join(checkout("r1"), ".langgraph_api");
    expect(await launcher.stateFolder(revision)).to.deep.equal({ path, format: "javascript" });
    expect(await launcher.stateFolder(aRevision("image"))).to.equal(undefined);
  });

  it("writes its threads at its end, also where the platform that read its output was killed", async () => {
    await scene.built("r1");
    const cwd = checkout("r1");
    const serve = require.resolve("../../../../local/drivers/process/javascript/serve");
    const graphs = { agent: "./agent.mjs:graph" };
    const settings = { server: join(cwd, "packages/api/dist/server.mjs"), cwd, graphs };
    const child = spawn(process.execPath, [serve, JSON.stringify(settings)]);
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(await readdir(cwd)).to.include("flushed");
  });

  it("repeats the runs that the end of its server cut off, and starts though their file is cut off too", async () => {
    const revision = await scene.deployed("r1");
    const file = join(checkout("r1"), ".langgraph_api/.langgraphjs_ops.json");
    const runs = (status: string) =>
      JSON.stringify({ json: { runs: { a: { status }, b: { status: "success" } } } });
    await mkdir(dirname(file), { recursive: true });
    for (const [before, after] of [
      [runs("running"), runs("pending")],
      ['{"json":', '{"json":'],
    ] as const) {
      await scene.driver.close();
      await writeFile(file, before);
      scene.start();
      scene.driver.restore(() => [revision]);
      await about();
      expect(await readFile(file, "utf8")).to.equal(after);
    }
  });

  it("lays the deployment's variables over those of the configuration, writes a secret nowhere, and passes it in the environment alone", async () => {
    const env = {
      MODEL: "of-the-configuration",
      SHOP: "configured",
      LOG_LEVEL: "info",
      PATH: "/x",
    };
    await commitConfig({ graphs: { agent: "./agent.mjs:graph" }, env });
    await scene.deployed("r1", { secrets: [{ name: "SHOP", value: "secret-CANARY" }] });
    const server = await about();
    const set = { MODEL: "of-the-configuration", SHOP: "secret-CANARY", LOG_LEVEL: "info" };
    expect(server.env).to.include(set);
    expect(server.env["PATH"]).to.not.equal("/x");
    const grep = promisify(execFile)("grep", ["-rl", "CANARY", scene.dataDir]);
    expect(await rejection(grep)).to.have.property("code", 1); // found nothing
    const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "args"]);
    expect(stdout).to.not.contain("secret-CANARY").and.not.contain("of-the-configuration");
  });

  const NO_GRAPH = /TypeError: graph 'agent' .* export 'graph' of .\/agent.mjs is not a graph/;
  for (const [what, agent, reason] of [
    ["a graph that can't be imported", "import 'none';", /Cannot find package 'none'/],
    [
      "a syntax error, with its place",
      "const a = 1;\nconst = 2;",
      /: SyntaxError: Unexpected token '='.*\/agent.mjs:2$/ms,
    ],
    ["what is no graph", "export const graph = 1;", NO_GRAPH],
    ["what is not exported", "export const other = 1;", NO_GRAPH],
  ] as const)
    it(`fails the deploy with the words of ${what}`, async () => {
      await scene.repository.commit({ "agent.mjs": agent });
      const { message } = await rejection(scene.deployed("r1"));
      expect(message).to.match(/^the server exited with code 1: /);
      expect(message).to.match(reason);
    });
});
