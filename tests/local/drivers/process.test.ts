import { chmod, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { type DriverOptions, ServerUnavailable } from "../../../local/drivers/driver";
import { startProcessDriver } from "../../../local/drivers/process";
import { rejection } from "../../support/rejection";
import { untyped } from "../../support/values";
import { processesWith } from "../children";
import { Scene } from "./process/scene";
import { aRevision } from "./process/servers/scripted";
import { reasonOf } from "./stage-failure";

const Info = z.object({
  graphs: z.string().array(),
  variables: z.string().array(),
  commit: z.string().nullable(),
  host: z.object({ host_revision_id: z.string() }),
});
const Thread = z.object({ thread_id: z.string() });
const POST = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
const BROKEN = { secrets: [{ name: "NODE_OPTIONS", value: "--require=./no-such-file" }] };

/** A server that returns its whole environment. */
const TELL_TALE = `
const server = require("node:http").createServer((_, response) => response.end(JSON.stringify(process.env)));
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ event: "listening", port: server.address().port })));`;

describe("processDriver", () => {
  const builtIn = { agentServer: "built-in" } as const;
  const scene = new Scene(undefined, builtIn);
  const { get } = scene;

  const installing = (install_command: string) => ({ sourceConfig: { install_command } });
  const makeThread = async () => Thread.parse(await get("/threads", POST));
  const kept = () => readdir(join(scene.dataDir, "deployments/one/revisions"));

  it("finds the commit and says so in the log, keeps one that is named already, and has none of an image", async () => {
    const head = await scene.repository.git("rev-parse", "HEAD");
    const found = await scene.created("r1");
    expect(found.sourceRevisionConfig.repo_commit_sha).to.equal(head);
    expect(scene.log).to.deep.equal([`ref 'main' of ${scene.repository.url} is commit ${head}`]);
    found.sourceRevisionConfig.repo_commit_sha = "1".repeat(40);
    for (const [revision, repoCommitSha] of [
      [found, "1".repeat(40)],
      [aRevision("r1"), null],
    ] as const)
      expect(await scene.driver.create(scene.work(revision))).to.deep.equal({ repoCommitSha });
  });

  it("installs in the repository's root, builds beside the configuration, and logs every line", async () => {
    const config = JSON.stringify({ graphs: { agent: "./agent.ts:graph" } });
    await scene.repository.commit({ "app/langgraph.json": config });
    const sourceConfig = { install_command: "echo in && ls -d app", build_command: "ls" };
    const place = { repo_ref: "main", graph_config_path: "app/langgraph.json" };
    await scene.built("r1", { sourceConfig, sourceRevisionConfig: place });
    expect(scene.log.slice(0, 3).join("\n")).to.match(/^fetching .*: agent\nusing the built-in/s);
    const lines = ["$ echo in && ls -d app", "in", "app", "$ ls", "langgraph.json"];
    expect(scene.log.slice(3)).to.deep.equal(lines);
  });

  it("fails with the last lines of a command that fails, and gives up on one that takes too long, which it ends", async () => {
    const reason = await reasonOf(scene.built("r1", installing("echo oh && ls no-such")));
    expect(reason).to.match(/^install_command '.*' exited with code 2: ls: .*no-such.*\noh$/);
    scene.start({ ...builtIn, buildSeconds: 0.2 });
    const late = await reasonOf(scene.built("r1", installing("sleep 1000")));
    expect(late).to.equal("install_command 'sleep 1000' timed out after 0.2 s");
  });

  it("gives the commands neither the deployment's secrets nor the platform's environment", async () => {
    const { PATH } = process.env;
    const environment = { PATH, AGENTSERVER_API_KEY: "key", HOME: scene.folder };
    scene.start({ ...builtIn, environment });
    const secrets = [{ name: "MODEL_API_KEY", value: "secret" }];
    await scene.built("r1", { ...installing("env"), secrets });
    const names = scene.log.map((line) => line.split("=")[0]).join(" ");
    expect(names)
      .to.match(/\bPATH\b/)
      .and.match(/\bHOME\b/)
      .and.not.match(/_API_KEY/);
  });

  it("refuses what a shell would obey in a command", async () => {
    const found = await scene.created("r1");
    const commands = ["a | b", "a; b", "a & b", "a &&& b", "echo $HOME", "a > b", 'a "b"', "`a`"];
    for (const build_command of commands) {
      const sourceConfig = { ...found.sourceConfig, build_command };
      const reason = await reasonOf(scene.driver.build(scene.work({ ...found, sourceConfig })));
      expect(reason, build_command).to.match(/^build_command contains ".*", .* not allowed/);
    }
  });

  it("starts a server that knows graphs, commit, its revision and the names of the variables", async () => {
    const value = `secret of ${scene.folder}`;
    const secrets = ["MODEL_API_KEY", "PORT"].map((name) => ({ name, value }));
    const { sourceRevisionConfig } = await scene.deployed("r1", { secrets });
    expect(Info.parse(await get("/info"))).to.deep.equal({
      graphs: ["agent"],
      variables: ["MODEL_API_KEY"],
      commit: sourceRevisionConfig.repo_commit_sha,
      host: { host_revision_id: "r1" },
    });
    expect(await processesWith(value)).to.have.length(1 + 2); // its keeper's two shells
  });

  it("says in the log that an image is not run and what stands in for it, and keeps the threads of each deployment for itself, also when another one is removed", async () => {
    await scene.driver.deploy(scene.work(aRevision("r1")));
    expect(scene.log[0]).to.match(/^image registry.example.com\/agent:1 is not run; .* built-in/);
    expect(Info.parse(await get("/info"))).to.include({ commit: null });
    const { driver } = scene;
    await driver.deploy(scene.work(aRevision("r1")));
    await driver.deploy(scene.work(aRevision("two-1", "two")));
    const made = await makeThread();
    const other = Thread.parse(await get("/threads", POST, "two"));
    const found = async (name: string) =>
      Thread.array().parse(await get("/threads/search", POST, name));
    expect(await found("one")).to.deep.equal([made]);
    expect(await found("two")).to.deep.equal([other]);
    await driver.remove("one");
    expect(await found("two")).to.deep.equal([other]);
    await driver.deploy(scene.work(aRevision("r2")));
    expect(await found("one")).to.deep.equal([]);
  });

  it("lays the variables over a small environment, but for those that are the platform's", async () => {
    const serverScript = join(scene.folder, "server.js");
    await writeFile(serverScript, TELL_TALE);
    const { PATH } = process.env;
    const environment = { PATH, HOME: "/h", AGENTSERVER_API_KEY: "x" };
    scene.start({ ...builtIn, serverScript, environment });
    const values = { HOME: "/mine", PATH: "/x", PORT: "1", MOUNT_PREFIX: "/m", A: "a\n'$b'" };
    const secrets = Object.entries(values).map(([name, value]) => ({ name, value }));
    await scene.driver.deploy(scene.work(aRevision("r1", "one", { secrets })));
    const own = { LANGSMITH_HOST_REVISION_ID: "r1" };
    expect(await get("/"))
      .to.include({ HOME: "/mine", PATH, A: "a\n'$b'", ...own })
      .and.not.have.any.keys("PORT", "MOUNT_PREFIX", "AGENTSERVER_API_KEY");
  });

  it("refuses variables that can't be set, and does not show their values", async () => {
    for (const [name, value, why] of [
      ["a.b", "secret", "a name may contain only letters, digits and _"],
      ["A", "secret\0", "its value contains a NUL character"],
      ["A", "secret".repeat(22_000), "its value exceeds 128 KiB"],
    ] as const) {
      const revision = aRevision("r1", "one", { secrets: [{ name, value }] });
      const reason = await reasonOf(scene.driver.deploy(scene.work(revision)));
      expect(reason).to.contain(`cannot set environment variable '${name}': ${why}`);
      expect(reason).not.to.contain("secret");
    }
  });

  it("keeps the threads from revision to revision, puts the new commit in place, removes all but the last two, and everything with the deployment, on disk and running", async () => {
    await scene.deployed("r1");
    const thread = await makeThread();
    const commit = await scene.repository.commit({ "agent.py": "graph = 2\n" });
    await scene.deployed("r2");
    expect(Info.parse(await get("/info"))).to.include({ commit });
    expect(await get(`/threads/${thread.thread_id}`)).to.include(thread);
    await scene.deployed("r3");
    expect(await kept()).to.have.members(["r2", "r3"]);
    await scene.driver.remove("one");
    expect(await processesWith(scene.dataDir)).to.deep.equal([]);
    expect(await readdir(join(scene.dataDir, "deployments"))).to.deep.equal([]);
    expect(await rejection(scene.driver.origin("one"))).to.be.instanceOf(ServerUnavailable);
  });

  it("keeps checkouts and threads from other users, whatever the mode of the data folder", async () => {
    await chmod(scene.dataDir, 0o755);
    await scene.deployed("r1");
    const modeOf = async (path: string) => (await stat(join(scene.dataDir, path))).mode & 0o777;
    expect(await modeOf("deployments")).to.equal(0o700);
    expect(await modeOf("deployments/one/threads.db")).to.equal(0o600);
  });

  it("keeps nothing of a revision whose build or deploy failed, and builds also where it can't prune the cache, which it says", async () => {
    const first = await scene.deployed("r1");
    await reasonOf(scene.built("r2", { sourceConfig: { build_command: "false" } }));
    const reason = await reasonOf(scene.deployed("r3", BROKEN));
    expect(reason).to.match(/^the server exited with code 1: Error: Cannot find .*no-such-file/s);
    expect(await kept()).to.deep.equal(["r1"]);
    await writeFile(scene.pathOf("r1", "runtime.json"), "{");
    await scene.built("r4");
    expect(scene.log.at(-1)).to.match(/^cannot prune the cache of installed packages: .*JSON/);
    const { commit } = Info.parse(await get("/info"));
    expect(commit).to.equal(first.sourceRevisionConfig.repo_commit_sha);
  });

  it("keeps nothing of a revision whose deploy was interrupted, but for one that the platform's end cuts off", async () => {
    const revision = await scene.built("r1");
    const cutOff = (reason: string) =>
      scene.driver.deploy(scene.work(revision, AbortSignal.abort(reason))).catch(() => {});
    await cutOff("closed");
    expect(await kept()).to.deep.equal(["r1"]);
    await scene.driver.deploy(scene.work(await scene.built("r2")));
    await cutOff("interrupted");
    expect(await kept()).to.deep.equal(["r2"]);
  });

  it("starts the server at the first request, with the threads of before", async () => {
    const revision = await scene.deployed("r1");
    const thread = await makeThread();
    await scene.driver.close();
    scene.start(builtIn);
    scene.driver.restore(() => [revision]);
    expect(await processesWith(scene.dataDir)).to.deep.equal([]);
    expect(await get(`/threads/${thread.thread_id}`)).to.include(thread);
  });

  it("says why a server can't start, and gives what it prints to the log", async () => {
    const lines: string[] = [];
    scene.start({ ...builtIn, serverLog: ({ id }, line) => void lines.push(`${id}: ${line}`) });
    const place = { repo_ref: "main", graph_config_path: "langgraph.json" };
    const lost = aRevision("r1", "one", { source: "git_host", sourceRevisionConfig: place });
    scene.driver.restore(() => [lost, aRevision("i1", "two", BROKEN)]);
    const messages = ["one", "two"].map(async (id) => {
      const error = await rejection(scene.driver.origin(id));
      expect(error).to.be.instanceOf(ServerUnavailable);
      return error.message;
    });
    const [first, second] = await Promise.all(messages);
    expect(first).to.contain("the checkout is missing");
    expect(second).to.contain("exited with code 1");
    expect(lines.join("\n")).to.match(/^i1: .*no-such-file/m);
  });

  it("writes what a server prints outside a deploy to the log of its revision, with what is hidden there", async () => {
    const written: unknown[][] = [];
    const logs = { write: (...line: unknown[]) => void written.push(line) };
    const options: DriverOptions = untyped({
      dataDir: scene.dataDir,
      maxServers: 1,
      ...builtIn,
      logs,
    });
    const driver = await startProcessDriver(options);
    driver.restore(() => [aRevision("i1", "two", BROKEN)]);
    await rejection(driver.origin("two"));
    await driver.close();
    const name = { revisionId: "i1", type: "deploy" };
    expect(written.length).to.be.greaterThan(0);
    for (const [log, , , secrets] of written)
      expect({ log, secrets }).to.deep.equal({ log: name, secrets: BROKEN.secrets });
  });
});
