import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import {
  ServerUnavailable,
  StageFailure,
  type Driver,
  type Revision,
} from "../../../local/drivers/driver";
import { processDriver, type ProcessDriverOptions } from "../../../local/drivers/process";
import { standingClock } from "../../support/clock";
import { aFolder, processesWith, removeFolder } from "../children";
import { makeRepository, type Repository } from "../repository";
import { aRevision } from "./process/servers/scripted";

const Info = z.object({
  graphs: z.string().array(),
  variables: z.string().array(),
  commit: z.string().nullable(),
  host: z.object({ host_revision_id: z.string() }),
});
const Thread = z.object({ thread_id: z.string() });
const signal = new AbortController().signal;

/** A server that returns its whole environment. */
const TELL_TALE = `
const server = require("node:http").createServer((_, response) => response.end(JSON.stringify(process.env)));
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ event: "listening", port: server.address().port })));`;

describe("processDriver", () => {
  let folder: string;
  let dataDir: string;
  let repository: Repository;
  let driver: Driver;
  let log: string[];

  const start = (options: Partial<ProcessDriverOptions> = {}) =>
    processDriver({
      dataDir,
      maxServers: 3,
      agentServer: "built-in",
      clock: standingClock(),
      ...options,
    });

  beforeEach(async () => {
    folder = await aFolder();
    dataDir = join(folder, "data");
    repository = await makeRepository(join(folder, "repository"));
    await mkdir(dataDir);
    driver = start();
    log = [];
  });
  afterEach(async () => {
    await driver.close();
    expect(await processesWith(dataDir), "processes left").to.deep.equal([]);
    await removeFolder(folder);
  });

  function fromGit(id: string, changes: Partial<Revision> = {}, ref = "main"): Revision {
    return aRevision(id, "one", {
      source: "git_host",
      sourceRevisionConfig: { repo_ref: ref, graph_config_path: "langgraph.json" },
      ...changes,
      sourceConfig: { repo_url: repository.url, ...changes.sourceConfig },
    });
  }
  const work = (revision: Revision) => ({
    revision,
    signal,
    log: (line: string) => log.push(line),
  });

  async function created(revision: Revision): Promise<Revision> {
    const { repoCommitSha } = await driver.create(work(revision));
    const sourceRevisionConfig = {
      ...revision.sourceRevisionConfig,
      repo_commit_sha: repoCommitSha,
    };
    return { ...revision, sourceRevisionConfig };
  }
  async function built(revision: Revision): Promise<Revision> {
    const next = await created(revision);
    await driver.build(work(next));
    return next;
  }
  async function deployed(revision: Revision): Promise<Revision> {
    const next = await built(revision);
    await driver.deploy(work(next));
    return next;
  }
  async function reasonOf(stage: Promise<unknown>): Promise<string> {
    const error = await stage.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(StageFailure);
    return error instanceof StageFailure ? error.message : "";
  }
  const get = async (path: string, init?: RequestInit): Promise<unknown> =>
    (await fetch((await driver.origin("one")) + path, init)).json();

  describe("create", () => {
    it("finds the commit and says so in the log, keeps one that is named already, and has none of an image", async () => {
      expect(await driver.create(work(aRevision("r1")))).to.deep.equal({ repoCommitSha: null });
      const named = fromGit("r1");
      named.sourceRevisionConfig.repo_commit_sha = "1".repeat(40);
      expect(await driver.create(work(named))).to.deep.equal({ repoCommitSha: "1".repeat(40) });
      log = [];
      const head = await repository.git("rev-parse", "HEAD");
      expect(await driver.create(work(fromGit("r1")))).to.deep.equal({ repoCommitSha: head });
      expect(log).to.deep.equal([`ref 'main' of ${repository.url} is commit ${head}`]);
    });
  });

  describe("build", () => {
    it("says what it got, what will serve it, and that no graph is run", async () => {
      const { sourceRevisionConfig } = await built(fromGit("r1"));
      expect(log.slice(1)).to.deep.equal([
        `fetching commit ${sourceRevisionConfig.repo_commit_sha} of ${repository.url}`,
        "graphs in langgraph.json: agent",
        "using the built-in agent server, which stores threads and assistants and runs no graphs",
      ]);
    });

    it("fails with the reason when the configuration is missing", async () => {
      const path = { repo_ref: "main", graph_config_path: "app/langgraph.json" };
      const revision = await created(fromGit("r1", { sourceRevisionConfig: path }));
      const reason = await reasonOf(driver.build(work(revision)));
      expect(reason).to.contain("'app/langgraph.json' not found in the repository");
    });

    it("installs in the repository's root, builds beside the configuration, and logs every line", async () => {
      const config = JSON.stringify({ graphs: { agent: "./agent.ts:graph" } });
      await repository.commit({ "app/langgraph.json": config });
      const commands = { install_command: "echo in && ls -d app", build_command: "ls" };
      const place = { repo_ref: "main", graph_config_path: "app/langgraph.json" };
      await built(fromGit("r1", { sourceConfig: commands, sourceRevisionConfig: place }));
      expect(log.slice(4)).to.deep.equal([
        "$ echo in && ls -d app",
        "in",
        "app",
        "$ ls",
        "langgraph.json",
      ]);
    });

    it("fails with the last lines of a command that fails", async () => {
      const revision = fromGit("r1", {
        sourceConfig: { install_command: "echo oh && ls no-such" },
      });
      const reason = await reasonOf(built(revision));
      expect(reason).to.match(
        /^install_command 'echo oh && ls no-such' exited with code 2: ls: .*\noh$/,
      );
      expect(reason).to.contain("no-such");
    });

    it("gives the commands neither the deployment's secrets nor the platform's environment", async () => {
      const environment = { PATH: process.env["PATH"], AGENTSERVER_API_KEY: "key", HOME: folder };
      driver = start({ environment });
      const secrets = [{ name: "MODEL_API_KEY", value: "secret" }];
      await built(fromGit("r1", { sourceConfig: { install_command: "env" }, secrets }));
      const names = log.map((line) => line.split("=")[0]);
      expect(names).to.include.members(["PATH", "HOME"]);
      for (const name of ["MODEL_API_KEY", "AGENTSERVER_API_KEY"])
        expect(names).not.to.include(name);
    });

    it("refuses what a shell would obey in a command", async () => {
      const found = await created(fromGit("r1"));
      const commands = ["a | b", "a; b", "a & b", "a &&& b", "echo $HOME", "a > b", 'a "b"', "`a`"];
      for (const build_command of commands) {
        const sourceConfig = { ...found.sourceConfig, build_command };
        expect(
          await reasonOf(driver.build(work({ ...found, sourceConfig }))),
          build_command,
        ).to.match(/^build_command contains ".*", which is not allowed; join commands with &&/);
      }
    });

    it("gives up on a command that takes too long, and ends it", async () => {
      driver = start({ buildSeconds: 0.2 });
      const revision = fromGit("r1", { sourceConfig: { install_command: "sleep 1000" } });
      const reason = await reasonOf(built(revision));
      expect(reason).to.equal("install_command 'sleep 1000' timed out after 0.2 s");
    });
  });

  describe("deploy", () => {
    it("starts a server that knows graphs, commit, its revision and the names of the variables", async () => {
      const secrets = [
        { name: "MODEL_API_KEY", value: `secret of ${folder}` },
        { name: "PORT", value: "1" },
      ];
      const { sourceRevisionConfig } = await deployed(fromGit("r1", { secrets }));
      expect(Info.parse(await get("/info"))).to.deep.equal({
        graphs: ["agent"],
        variables: ["MODEL_API_KEY"],
        commit: sourceRevisionConfig.repo_commit_sha,
        host: { host_revision_id: "r1" },
      });
      expect(await processesWith(`secret of ${folder}`)).to.have.length(1 + 2); // its keeper's two shells
    });

    it("says in the log that an image is not run and what stands in for it", async () => {
      await driver.deploy(work(aRevision("r1")));
      expect(log[0]).to.equal(
        "image registry.example.com/agent:1 is not run; starting the built-in agent server, which stores threads and assistants and runs no graphs",
      );
      expect(Info.parse(await get("/info"))).to.include({ commit: null });
    });

    it("lays the variables over a small environment, but for those that are the platform's", async () => {
      const serverScript = join(folder, "server.js");
      await writeFile(serverScript, TELL_TALE);
      const path = process.env["PATH"];
      driver = start({
        serverScript,
        environment: { PATH: path, HOME: "/h", AGENTSERVER_API_KEY: "x" },
      });
      const values = { HOME: "/mine", PATH: "/x", PORT: "1", MOUNT_PREFIX: "/m", A: "a\n'$b'" };
      const secrets = Object.entries(values).map(([name, value]) => ({ name, value }));
      await driver.deploy(work(aRevision("r1", "one", { secrets })));
      const environment = z.record(z.string(), z.string()).parse(await get("/"));
      const own = { LANGSMITH_HOST_REVISION_ID: "r1" };
      expect(environment).to.include({ HOME: "/mine", PATH: path, A: "a\n'$b'", ...own });
      expect(environment).to.not.have.any.keys("PORT", "MOUNT_PREFIX", "AGENTSERVER_API_KEY");
    });

    for (const [name, value] of [
      ["a.b", "secret"],
      ["A", "secret\0"],
    ] as const)
      it(`refuses the variable ${name}, which can't be set`, async () => {
        const revision = aRevision("r1", "one", { secrets: [{ name, value }] });
        const reason = await reasonOf(driver.deploy(work(revision)));
        expect(reason)
          .to.contain(`cannot set environment variable '${name}': `)
          .and.not.contain("secret");
      });

    it("fails with the server's last lines, and the revision before serves on", async () => {
      const first = await deployed(fromGit("r1"));
      const secrets = [{ name: "NODE_OPTIONS", value: "--require=./no-such-file" }];
      const reason = await reasonOf(deployed(fromGit("r2", { secrets })));
      expect(reason)
        .to.match(/^the server exited with code 1: Error: Cannot find module .*\n/)
        .and.contain("no-such-file");
      const { commit } = Info.parse(await get("/info"));
      expect(commit).to.equal(first.sourceRevisionConfig.repo_commit_sha);
    });

    it("keeps the threads from revision to revision, and puts the new commit in place", async () => {
      await deployed(fromGit("r1"));
      const headers = { "content-type": "application/json" };
      const thread = Thread.parse(await get("/threads", { method: "POST", headers, body: "{}" }));
      const commit = await repository.commit({ "agent.py": "graph = 2\n" });
      await deployed(fromGit("r2"));
      expect(Info.parse(await get("/info"))).to.include({ commit });
      expect(await get(`/threads/${thread.thread_id}`)).to.include(thread);
    });

    it("keeps the threads of each deployment for itself, also when another one is removed", async () => {
      await driver.deploy(work(aRevision("r1")));
      await driver.deploy(work(aRevision("two-1", "two")));
      const send = async (name: string, path: string, init?: RequestInit): Promise<unknown> =>
        (await fetch(`${await driver.origin(name)}/threads${path}`, init)).json();
      const headers = { "content-type": "application/json" };
      const post = { method: "POST", headers, body: "{}" };
      const made = Thread.parse(await send("one", "", post));
      const other = Thread.parse(await send("two", "", post));
      const found = async (name: string) =>
        Thread.array()
          .parse(await send(name, "/search", post))
          .map(({ thread_id }) => thread_id);
      expect(await found("one")).to.deep.equal([made.thread_id]);
      expect(await found("two")).to.deep.equal([other.thread_id]);
      await driver.remove("one");
      expect(await found("two")).to.deep.equal([other.thread_id]);
      await driver.deploy(work(aRevision("r2")));
      expect(await found("one")).to.deep.equal([]);
    });

    const kept = () => readdir(join(dataDir, "deployments/one/revisions"));

    it("keeps checkouts and threads from other users, whatever the mode of the data folder", async () => {
      await chmod(dataDir, 0o755);
      await deployed(fromGit("r1"));
      const modeOf = async (path: string) => (await stat(join(dataDir, path))).mode & 0o777;
      expect(await modeOf("deployments")).to.equal(0o700);
      expect(await modeOf("deployments/one/threads.db")).to.equal(0o600);
    });

    it("keeps the checkouts of this revision and of the one before", async () => {
      for (const id of ["r1", "r2", "r3"]) await deployed(fromGit(id));
      expect(await kept()).to.have.members(["r2", "r3"]);
    });

    it("keeps nothing of a revision whose build or deploy failed", async () => {
      await deployed(fromGit("r1"));
      await reasonOf(built(fromGit("r2", { sourceConfig: { build_command: "false" } })));
      const secrets = [{ name: "NODE_OPTIONS", value: "--require=./no-such-file" }];
      await reasonOf(deployed(fromGit("r3", { secrets })));
      expect(await kept()).to.deep.equal(["r1"]);
    });

    it("keeps nothing of a revision whose deploy was interrupted", async () => {
      const revision = await built(fromGit("r1"));
      const ended = AbortSignal.abort("interrupted");
      await driver.deploy({ ...work(revision), signal: ended }).catch(() => {});
      expect(await kept()).to.deep.equal([]);
    });

    it("keeps what was built for a deploy that the platform's end cuts off, as it is done again", async () => {
      const revision = await built(fromGit("r1"));
      const ended = AbortSignal.abort("closed");
      await driver.deploy({ ...work(revision), signal: ended }).catch(() => {});
      expect(await kept()).to.deep.equal(["r1"]);
      await driver.deploy(work(revision));
    });
  });

  describe("restore", () => {
    it("starts the server at the first request, with the threads of before", async () => {
      const revision = await deployed(fromGit("r1"));
      const headers = { "content-type": "application/json" };
      const thread = Thread.parse(await get("/threads", { method: "POST", headers, body: "{}" }));
      await driver.close();
      expect(await processesWith(dataDir)).to.deep.equal([]);
      driver = start();
      driver.restore(() => [revision]);
      expect(await processesWith(dataDir)).to.deep.equal([]);
      expect(await get(`/threads/${thread.thread_id}`)).to.include(thread);
    });

    it("says why a server can't start, and gives what it prints to the log", async () => {
      const lines: string[] = [];
      driver = start({ serverLog: ({ id }, line) => void lines.push(`${id}: ${line}`) });
      const secrets = [{ name: "NODE_OPTIONS", value: "--require=./no-such-file" }];
      driver.restore(() => [fromGit("r1"), aRevision("i1", "two", { secrets })]);
      const [lost, broken] = await Promise.all(
        ["one", "two"].map((id) => driver.origin(id).catch((error: unknown) => error)),
      );
      expect(lost).to.be.instanceOf(ServerUnavailable);
      expect(lost).to.have.property("message").that.contains("the checkout is missing");
      expect(broken).to.have.property("message").that.contains("exited with code 1");
      expect(lines.join("\n")).to.contain("no-such-file");
    });
  });

  it("leaves nothing of a removed deployment, neither on disk nor running", async () => {
    await deployed(fromGit("r1"));
    await driver.remove("one");
    expect(await processesWith(dataDir)).to.deep.equal([]);
    expect(await readdir(join(dataDir, "deployments"))).to.deep.equal([]);
    const failure = await driver.origin("one").catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServerUnavailable);
  });
});
