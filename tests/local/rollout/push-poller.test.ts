import { expect } from "chai";
import Libsql from "libsql";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { mock } from "node:test";
import * as deployments from "../../../local/control-plane/deployments";
import { redeploy } from "../../../local/control-plane/revisions";
import type { Workspace } from "../../../local/store";
import { addWorkspace } from "../../../local/platform/workspaces";
import { CreateDeployment, type UpdateDeployment } from "../../../sdk/schema";
import { aGitDeployment } from "../../support/platform";
import { until, useFolder } from "../children";
import { makeRepository, type Repository } from "../repository";
import { startPolled, type PolledPlatform } from "./polled-platform";

describe("local/rollout/push-poller", () => {
  const folder = useFolder();
  let repository: Repository;
  let polled: PolledPlatform;
  let workspace: Workspace;
  let names: number;
  beforeEach(async () => {
    names = 0;
    onResolved = onAnswered = async () => {};
    repository = await makeRepository(folder("repository"));
    await mkdir(folder("home"));
    polled = start();
    workspace = addWorkspace(polled.platform.store, polled.platform.clock, "local");
  });
  afterEach(() => polled.close());

  /** Asked by a new revision, with its commit found but not stored yet. */
  let onResolved: () => Promise<void>;
  /** Whether a poll has git's response and has not handled it yet. */
  let onAnswered: () => Promise<void>;
  const start = () => {
    const environment = { PATH: process.env["PATH"], HOME: folder("home") };
    const hooks = { onResolved: () => onResolved(), onAnswered: () => onAnswered() };
    return startPolled({ dataDir: folder(), environment, ...hooks });
  };
  const restart = async () => {
    await polled.close();
    polled = start();
  };
  const head = () => repository.git("rev-parse", "HEAD");
  /** Commits of its revisions, oldest first. */
  const commits = (id: string) =>
    revisions(id).map((one) => one.source_revision_config.repo_commit_sha);
  const revisions = (id: string) =>
    polled.platform.store.revisions.list(id, { limit: 100, offset: 0 }).toReversed();
  const untilCreated = (id: string) =>
    until("its commit", () => revisions(id).every(({ status }) => status !== "CREATING"));

  /** A deployment whose commit is known; by default of `main`, and built on a push. */
  async function create({ repoUrl = repository.url, ref = "main", buildOnPush = true } = {}) {
    const [integration] = polled.platform.store.integrations.list(workspace.id);
    const { source_config, ...body } = aGitDeployment(integration?.id ?? "");
    const tracking = { ...source_config, repo_url: repoUrl, build_on_push: buildOnPush };
    const changes = { name: `agent-${(names += 1)}`, source_config: tracking };
    const config = { ...body.source_revision_config, repo_ref: ref };
    const made = CreateDeployment.parse({ ...body, ...changes, source_revision_config: config });
    const { id } = deployments.createDeployment(polled.platform, workspace, made);
    await untilCreated(id);
    return id;
  }
  async function createPolled() {
    const id = await create();
    await polled.untilPolled();
    return id;
  }
  /** Commits to the branch that is checked out, and lets the poller see it. */
  async function push() {
    const pushed = await repository.commit({});
    await polled.untilPolled();
    return pushed;
  }
  /** No poll comes any more. */
  async function isQuiet() {
    await polled.pass(4);
    const polls = polled.polls.length;
    await polled.pass(10);
    expect(polled.polls).to.have.lengthOf(polls);
  }
  async function update(id: string, body: UpdateDeployment) {
    deployments.updateDeployment(polled.platform, workspace, id, body);
    await untilCreated(id);
  }

  it("builds a commit that is pushed before the first poll, and one that is pushed after it", async () => {
    const first = await head();
    const id = await create();
    const second = await push();
    expect(commits(id)).to.deep.equal([first, second]);
    const third = await push();
    expect(commits(id)).to.deep.equal([first, second, third]);
    await polled.pass(10);
    expect(commits(id)).to.have.lengthOf(3);
  });

  it("polls a file:// repository every two seconds, once for all of its deployments and branches, of which each gets its pushes", async () => {
    await repository.git("branch", "next");
    const ids = [await create(), await create({ ref: "next" }), await create()];
    await polled.untilPolled();
    const before = polled.polls.length;
    await polled.pass(6);
    const polls = polled.polls.slice(before);
    expect(polls).to.have.lengthOf(3);
    for (const { branches } of polls) expect(branches).to.have.members(["main", "next"]);
    const pushed = await push();
    expect(ids.map((id) => commits(id)[1])).to.deep.equal([pushed, undefined, pushed]);
  });

  it("goes on where it can't store what it sees, and builds the push when it can", async () => {
    const forgotten = await create();
    const id = await createPolled();
    await polled.close();
    const database = new Libsql(folder("platform.db"));
    for (const event of ["UPDATE", "INSERT"])
      database.exec(`CREATE TRIGGER full_${event} BEFORE ${event} ON seen_branches
        WHEN NOT EXISTS (SELECT 1 FROM leftover_names)
        BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END;`);
    database.close();
    polled = start();
    await update(forgotten, { source_config: { build_on_push: false } });
    const write = mock.method(process.stderr, "write", () => true);
    const pushed = await push();
    await polled.untilPolled();
    await polled.untilPolled();
    write.mock.restore();
    expect(write.mock.callCount(), "once").to.equal(1);
    expect(commits(id)).to.have.lengthOf(1);
    polled.admin.addLeftoverName("room");
    await polled.untilPolled();
    expect(commits(id).at(-1)).to.equal(pushed);
  });

  it("polls any other repository every 25 seconds", async () => {
    const config = `[url "file://${folder()}/"]\n insteadOf = https://git.example.com/\n`;
    await writeFile(folder("home", ".gitconfig"), config);
    const id = await create({ repoUrl: "https://git.example.com/repository" });
    await polled.untilPolled();
    await polled.pass(50);
    const [first = 0, ...later] = polled.polls.map(({ atSeconds }) => atSeconds);
    expect(later).to.deep.equal([first + 25, first + 50]);
    const pushed = await push();
    expect(commits(id).at(-1)).to.equal(pushed);
  });

  it("takes neither a deleted branch nor a new one for a push, also over a restart", async () => {
    const id = await createPolled();
    await repository.git("checkout", "--quiet", "-b", "elsewhere");
    await repository.git("branch", "--delete", "--force", "main");
    await polled.untilPolled();
    await polled.close();
    const polls = polled.polls.length;
    await polled.pass(10);
    expect(polled.polls, "polls after the close").to.have.lengthOf(polls);
    polled = start();
    await repository.commit({ "a.txt": "2" });
    await repository.git("branch", "main");
    await polled.untilPolled();
    expect(commits(id)).to.have.lengthOf(1);
    await repository.git("checkout", "--quiet", "main");
    const pushed = await push();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });

  it("waits for a branch that does not exist yet, whose first commit is no push", async () => {
    const id = await create({ ref: "next" });
    await polled.untilPolled();
    await repository.git("checkout", "--quiet", "-b", "next");
    await polled.untilPolled();
    expect(commits(id)).to.deep.equal([null]);
    const pushed = await push();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });

  it("waits for the commit of a new revision, and loses no push that comes in between", async () => {
    const pushed = new Promise<string>((resolve, reject) => {
      onResolved = async () => {
        await repository.commit({ "a.txt": "2" }).then(resolve, reject);
        await polled.pass(10);
      };
    });
    const id = await create();
    expect(polled.polls).to.deep.equal([]);
    await polled.untilPolled();
    expect(commits(id).slice(1)).to.deep.equal([await pushed]);
  });

  it("builds nothing that a request has built already, before a poll or while it is answered", async () => {
    const id = await createPolled();
    const build = async () => {
      onAnswered = async () => {};
      await repository.commit({});
      await update(id, { secrets: [{ name: "A", value: "1" }] });
    };
    await build();
    await polled.untilPolled();
    expect(commits(id).slice(1)).to.deep.equal([await head()]);
    onAnswered = build;
    await polled.untilPolled();
    await polled.untilPolled();
    expect(commits(id).slice(2)).to.deep.equal([await head()]);
  });

  it("leaves a redeploy of an older commit as it is, also over a restart, until the next push", async () => {
    const first = await head();
    const id = await create();
    const second = await push();
    const [oldest] = revisions(id);
    redeploy(polled.platform, workspace, { deployment_id: id, revision_id: oldest?.id ?? "" });
    await polled.untilPolled();
    await restart();
    await polled.untilPolled();
    expect(commits(id)).to.deep.equal([first, second, first]);
    const third = await push();
    expect(commits(id).slice(3)).to.deep.equal([third]);
  });

  it("leaves a redeploy of a commit of an earlier branch as it is, whatever was pushed to that before, until the next push", async () => {
    await repository.git("branch", "next");
    const first = await head();
    const id = await createPolled();
    await update(id, { source_revision_config: { repo_ref: "next" } });
    await push();
    const [oldest] = revisions(id);
    redeploy(polled.platform, workspace, { deployment_id: id, revision_id: oldest?.id ?? "" });
    await polled.untilPolled();
    await polled.untilPolled();
    expect(commits(id)).to.deep.equal([first, first, first]);
    const pushed = await push();
    expect(commits(id).slice(3)).to.deep.equal([pushed]);
  });

  it("follows a deployment that is switched on, off, to another branch, or deleted", async () => {
    await repository.git("branch", "next");
    const id = await create({ buildOnPush: false });
    await repository.commit({ "a.txt": "2" });
    await polled.pass(10);
    expect(polled.polls).to.deep.equal([]);

    await update(id, { source_config: { build_on_push: true } });
    await polled.untilPolled();
    expect(commits(id), "what was pushed before").to.have.lengthOf(1);
    const pushed = await push();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);

    await update(id, { source_revision_config: { repo_ref: "next" } });
    await repository.commit({ "a.txt": "4" });
    await repository.git("branch", "--force", "next", pushed);
    await polled.untilPolled();
    expect(commits(id).slice(3), "the commit of its own branch").to.deep.equal([pushed]);

    await update(id, { source_config: { build_on_push: false } });
    await isQuiet();
    await repository.git("branch", "--force", "next", "main");
    await update(id, { source_config: { build_on_push: true } });
    await polled.untilPolled();
    expect(commits(id), "what was pushed meanwhile").to.have.lengthOf(4);

    deployments.deleteDeployment(polled.platform, workspace, id);
    await isQuiet();
  });

  it("tries a repository that fails ever more seldom, says so once, and says when it answers again", async () => {
    const id = await createPolled();
    await rename(repository.folder, `${repository.folder}.away`);
    const before = polled.polls.length;
    await polled.pass(2 + 4 + 8 + 16 + 32 + 64 + 128 + 256 + 300 + 300);
    const times = polled.polls.slice(before).map(({ atSeconds }) => atSeconds);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses).to.deep.equal([4, 8, 16, 32, 64, 128, 256, 300, 300]);

    await rename(`${repository.folder}.away`, repository.folder);
    const pushed = await repository.commit({ "a.txt": "2" });
    const [first] = revisions(id);
    await polled.untilPolled();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
    const told = async (revisionId = "") => {
      const name = { revisionId, type: "build" } as const;
      const { logs } = await polled.platform.logs.page(name, { limit: 1000, order: "asc" });
      const lines = logs.map(({ level, message }) => `${level} ${message}`);
      return lines.filter((line) => line.includes("pushes"));
    };
    const warnings = await told(first?.id);
    const warning = /^WARNING cannot detect pushes \(retrying\): git ls-remote failed: /;
    expect(warnings.join()).to.match(warning);
    expect(warnings).to.have.length(1);
    expect(await told(revisions(id).at(-1)?.id)).to.deep.equal(["INFO pushes are detected again"]);
  });

  it("does not let a repository that fails hold up another", async () => {
    const gone = await create();
    await rename(repository.folder, `${repository.folder}.away`);
    const other = await makeRepository(folder("other"));
    const id = await create({ repoUrl: other.url });
    await polled.pass(20);
    const pushed = await other.commit({ "a.txt": "2" });
    await polled.pass(2);
    expect(commits(gone)).to.have.lengthOf(1);
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });
});
