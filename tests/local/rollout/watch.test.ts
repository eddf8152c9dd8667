import { expect } from "chai";
import Libsql from "libsql";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createDeployment,
  deleteDeployment,
  updateDeployment,
} from "../../../local/control-plane/deployments";
import { redeploy } from "../../../local/control-plane/revisions";
import type { Workspace } from "../../../local/store";
import { addWorkspace } from "../../../local/platform/workspaces";
import type { UpdateDeployment } from "../../../sdk/schema";
import { aFolder, removeFolder, until } from "../children";
import { makeRepository, type Repository } from "../repository";
import { STAGE_SECONDS, startWatched, type WatchedPlatform } from "./watched";

describe("local/rollout/watch", () => {
  let folder: string;
  let repository: Repository;
  let watched: WatchedPlatform;
  let workspace: Workspace;
  let names: number;
  beforeEach(async () => {
    names = 0;
    onResolved = onAnswered = async () => {};
    folder = await aFolder();
    repository = await makeRepository(join(folder, "repository"));
    await mkdir(join(folder, "home"));
    watched = start();
    workspace = addWorkspace(watched.platform.store, watched.platform.clock, "local");
  });
  afterEach(async () => {
    await watched.close();
    await removeFolder(folder);
  });

  /** Asked by a new revision, with its commit found but not stored yet. */
  let onResolved: () => Promise<void>;
  /** Asked by a look, with git's answer not taken in yet. */
  let onAnswered: () => Promise<void>;
  const start = () =>
    startWatched({
      dataDir: folder,
      environment: { PATH: process.env["PATH"], HOME: join(folder, "home") },
      onResolved: () => onResolved(),
      onAnswered: () => onAnswered(),
    });
  const restart = () => (watched = start());
  const head = () => repository.git("rev-parse", "HEAD");
  /** Commits of its revisions, oldest first. */
  const commits = (id: string) =>
    revisions(id).map((one) => one.source_revision_config.repo_commit_sha);
  const revisions = (id: string) =>
    watched.platform.store.revisions.list(id, { limit: 100, offset: 0 }).toReversed();
  const untilCreated = (id: string) =>
    until("its commit", () => revisions(id).every(({ status }) => status !== "CREATING"));
  const stages = (count: number) => watched.platform.admin.advanceClock(count * STAGE_SECONDS);

  /** A deployment whose commit is known; by default of `main`, and built on a push. */
  async function create({ repoUrl = repository.url, ref = "main", buildOnPush = true } = {}) {
    const { store } = watched.platform;
    const { id } = createDeployment(watched.platform, workspace, {
      name: `agent-${(names += 1)}`,
      source: "git_host",
      source_config: {
        integration_id: store.integrations.list(workspace.id)[0]?.id,
        repo_url: repoUrl,
        deployment_type: "dev",
        build_on_push: buildOnPush,
      },
      source_revision_config: { repo_ref: ref, graph_config_path: "langgraph.json" },
      secrets: [],
    });
    await untilCreated(id);
    return id;
  }
  async function update(id: string, body: UpdateDeployment) {
    updateDeployment(watched.platform, workspace, id, body);
    await untilCreated(id);
  }

  it("builds a commit that is pushed before the first look, and one that is pushed after it", async () => {
    const first = await head();
    const id = await create();
    const second = await repository.commit({ "a.txt": "2" });
    await watched.untilLooked();
    expect(commits(id)).to.deep.equal([first, second]);
    const third = await repository.commit({ "a.txt": "3" });
    await watched.untilLooked();
    expect(commits(id)).to.deep.equal([first, second, third]);
    await watched.pass(10);
    expect(commits(id)).to.have.lengthOf(3);
  });

  it("looks at a file:// repository every two seconds, once for all of its deployments and branches", async () => {
    await repository.git("branch", "next");
    for (const ref of ["main", "next", "main"]) await create({ ref });
    await watched.untilLooked();
    const before = watched.looks.length;
    await watched.pass(6);
    const looks = watched.looks.slice(before);
    expect(looks).to.have.lengthOf(3);
    for (const { branches } of looks) expect(branches).to.have.members(["main", "next"]);
  });

  it("goes on where it can't store what it sees, and builds the push when it can", async () => {
    const forgotten = await create();
    const id = await create();
    await watched.untilLooked();
    await watched.close();
    const database = new Libsql(join(folder, "platform.db"));
    for (const event of ["UPDATE", "INSERT"])
      database.exec(`CREATE TRIGGER full_${event} BEFORE ${event} ON seen_branches
        WHEN NOT EXISTS (SELECT 1 FROM leftover_names)
        BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END;`);
    database.close();
    restart();
    await update(forgotten, { source_config: { build_on_push: false } });
    const pushed = await repository.commit({ "a.txt": "2" });
    await watched.untilLooked();
    await watched.untilLooked();
    expect(commits(id)).to.have.lengthOf(1);
    watched.platform.admin.addLeftoverName("room");
    await watched.untilLooked();
    expect(commits(id).at(-1)).to.equal(pushed);
  });

  it("looks at any other repository every 25 seconds", async () => {
    const config = `[url "file://${folder}/"]\n insteadOf = https://git.example.com/\n`;
    await writeFile(join(folder, "home", ".gitconfig"), config);
    const id = await create({ repoUrl: "https://git.example.com/repository" });
    await watched.untilLooked();
    await watched.pass(50);
    const [first = 0, ...later] = watched.looks.map(({ atSeconds }) => atSeconds);
    expect(later).to.deep.equal([first + 25, first + 50]);
    const pushed = await repository.commit({ "a.txt": "2" });
    await watched.untilLooked();
    expect(commits(id).at(-1)).to.equal(pushed);
  });

  it("makes one revision of the newest of several pushes during a build, and skips those that wait", async () => {
    const id = await create();
    const pushed: string[] = [];
    for (const text of ["1", "2", "3"]) {
      pushed.push(await repository.commit({ "a.txt": text }));
      await watched.untilLooked();
    }
    pushed.push(
      await repository.commit({ "a.txt": "4" }),
      await repository.commit({ "a.txt": "5" }),
    );
    await watched.untilLooked();
    await untilCreated(id);
    const [one, two, three, , five] = pushed;
    expect(commits(id).slice(1)).to.deep.equal([one, two, three, five]);
    const statuses = () => revisions(id).map(({ status }) => status);
    expect(statuses()).to.deep.equal(["BUILDING", "SKIPPED", "SKIPPED", "SKIPPED", "QUEUED"]);
    await stages(4);
    expect(statuses()).to.deep.equal(["DEPLOYED", "SKIPPED", "SKIPPED", "SKIPPED", "DEPLOYED"]);
  });

  it("builds every deployment of the branch, and none of another branch", async () => {
    await repository.git("branch", "next");
    const [one, two, other] = [await create(), await create(), await create({ ref: "next" })];
    const pushed = await repository.commit({ "a.txt": "2" });
    await watched.untilLooked();
    for (const id of [one, two]) expect(commits(id).at(-1)).to.equal(pushed);
    expect(commits(other)).to.have.lengthOf(1);
  });

  it("takes neither a deleted branch nor a new one for a push, also over a restart", async () => {
    const id = await create();
    await watched.untilLooked();
    await repository.git("checkout", "--quiet", "-b", "elsewhere");
    await repository.git("branch", "--delete", "--force", "main");
    await watched.untilLooked();
    await watched.close();
    restart();
    await repository.commit({ "a.txt": "2" });
    await repository.git("branch", "main");
    await watched.untilLooked();
    expect(commits(id)).to.have.lengthOf(1);
    await repository.git("checkout", "--quiet", "main");
    const pushed = await repository.commit({ "a.txt": "3" });
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });

  it("waits for a branch that does not exist yet", async () => {
    const id = await create({ ref: "next" });
    await watched.untilLooked();
    await repository.git("checkout", "--quiet", "-b", "next");
    await watched.untilLooked();
    expect(commits(id)).to.deep.equal([null]);
    const pushed = await repository.commit({ "a.txt": "2" });
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
    await update(id, { source_revision_config: { repo_ref: "other" } });
    await repository.git("branch", "other", "main");
    await watched.untilLooked();
    expect(commits(id).slice(2)).to.deep.equal([null]);
  });

  it("notices at its start what was pushed while it was down", async () => {
    const id = await create();
    await watched.untilLooked();
    await watched.close();
    const pushed = await repository.commit({ "a.txt": "2" });
    restart();
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });

  it("waits for the commit of a new revision, and loses no push that comes in between", async () => {
    const pushed = new Promise<string>((resolve, reject) => {
      onResolved = async () => {
        await repository.commit({ "a.txt": "2" }).then(resolve, reject);
        await watched.pass(10);
      };
    });
    const id = await create();
    expect(watched.looks).to.deep.equal([]);
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([await pushed]);
  });

  it("builds nothing that a request has built already", async () => {
    const id = await create();
    await watched.untilLooked();
    const pushed = await repository.commit({ "a.txt": "2" });
    await update(id, { secrets: [{ name: "A", value: "1" }] });
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });

  it("takes nothing in that was asked before a request made a revision", async () => {
    const id = await create();
    const pushed = new Promise<string>((resolve, reject) => {
      onAnswered = async () => {
        onAnswered = async () => {};
        await repository.commit({ "a.txt": "2" }).then(resolve, reject);
        await update(id, { secrets: [{ name: "A", value: "1" }] });
      };
    });
    await watched.untilLooked();
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([await pushed]);
  });

  it("leaves a redeploy of an older commit as it is, also over a restart, until the next push", async () => {
    const first = await head();
    const id = await create();
    const second = await repository.commit({ "a.txt": "2" });
    await watched.untilLooked();
    const [oldest] = revisions(id);
    redeploy(watched.platform, workspace, { deployment_id: id, revision_id: oldest?.id ?? "" });
    await watched.untilLooked();
    await watched.close();
    restart();
    await watched.untilLooked();
    expect(commits(id)).to.deep.equal([first, second, first]);
    const third = await repository.commit({ "a.txt": "3" });
    await watched.untilLooked();
    expect(commits(id).slice(3)).to.deep.equal([third]);
  });

  it("follows a deployment that is switched on, off, to another branch, or deleted", async () => {
    await repository.git("branch", "next");
    const id = await create({ buildOnPush: false });
    await repository.commit({ "a.txt": "2" });
    await watched.pass(10);
    expect(watched.looks).to.deep.equal([]);

    await update(id, { source_config: { build_on_push: true } });
    await watched.untilLooked();
    expect(commits(id), "what was pushed before").to.have.lengthOf(1);
    const pushed = await repository.commit({ "a.txt": "3" });
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);

    await update(id, { source_revision_config: { repo_ref: "next" } });
    await repository.commit({ "a.txt": "4" });
    await watched.untilLooked();
    expect(commits(id)).to.have.lengthOf(3);

    await update(id, { source_config: { build_on_push: false } });
    await watched.pass(4);
    const looks = watched.looks.length;
    await watched.pass(10);
    expect(watched.looks).to.have.lengthOf(looks);
    await repository.git("branch", "--force", "next", "main");
    await update(id, { source_config: { build_on_push: true } });
    await watched.untilLooked();
    expect(commits(id), "what was pushed meanwhile").to.have.lengthOf(3);

    deleteDeployment(watched.platform, workspace, id);
    await watched.pass(4);
    const last = watched.looks.length;
    await watched.pass(10);
    expect(watched.looks).to.have.lengthOf(last);
  });

  it("tries a repository that fails ever more seldom, says so once, and says when it answers again", async () => {
    const id = await create();
    await watched.untilLooked();
    await rename(repository.folder, `${repository.folder}.away`);
    const before = watched.looks.length;
    await watched.pass(2 + 4 + 8 + 16 + 32 + 64 + 128 + 256 + 300 + 300);
    const times = watched.looks.slice(before).map(({ atSeconds }) => atSeconds);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses).to.deep.equal([4, 8, 16, 32, 64, 128, 256, 300, 300]);

    await rename(`${repository.folder}.away`, repository.folder);
    const pushed = await repository.commit({ "a.txt": "2" });
    const [first] = revisions(id);
    await watched.untilLooked();
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
    const told = async (revisionId = "") => {
      const name = { revisionId, type: "build" } as const;
      const { logs } = await watched.platform.logs.page(name, { limit: 1000, order: "asc" });
      return logs.filter(({ message }) => message.includes("pushes"));
    };
    const [warning, ...more] = await told(first?.id);
    expect(warning?.level).to.equal("WARNING");
    expect(warning?.message).to.match(
      /^no pushes can be noticed: git ls-remote failed: .*repository/,
    );
    expect(more).to.deep.equal([]);
    const again = await told(revisions(id).at(-1)?.id);
    expect(again.map(({ message }) => message)).to.deep.equal(["pushes are noticed again"]);
  });

  it("does not let a repository that fails hold up another", async () => {
    const gone = await create();
    await rename(repository.folder, `${repository.folder}.away`);
    const other = await makeRepository(join(folder, "other"));
    const id = await create({ repoUrl: other.url });
    await watched.pass(20);
    const pushed = await other.commit({ "a.txt": "2" });
    await watched.pass(2);
    expect(commits(gone)).to.have.lengthOf(1);
    expect(commits(id).slice(1)).to.deep.equal([pushed]);
  });

  it("ends its looks when it is closed", async () => {
    await create();
    await watched.untilLooked();
    await watched.close();
    const looks = watched.looks.length;
    await watched.pass(10);
    expect(watched.looks).to.have.lengthOf(looks);
    restart();
  });
});
