import { expect } from "chai";
import Libsql from "libsql";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startLocalPlatform, StartError } from "../../../local";
import { removeData } from "../../../local/platform/folder";
import { readIdentity } from "../../../local/platform/identity-file";
import { rejection } from "../../support/rejection";
import { versionOf } from "../store/version-1";
import { startTestPlatform, type TestPlatform } from "../../support/platform";

describe("local/platform/identity", () => {
  let t: TestPlatform;
  beforeEach(async () => (t = await startTestPlatform()));
  afterEach(() => t.close());

  const failureOf = async (options: object) => {
    const error = await rejection(
      startLocalPlatform({ driver: "simulated", dataDir: t.dataDir, ...options }),
    );
    expect(error).to.be.instanceOf(StartError);
    return error.message;
  };

  it("is the same at every start, and with the port that it has", async () => {
    const { url, apiKey, workspaceId, adminKey, port } = t.platform;
    for (const asked of [0, undefined, port]) {
      await t.restart({ port: asked });
      expect(t.platform).to.include({ url, apiKey, workspaceId, adminKey, port });
    }
  });

  it("does not move to another port, which its deployments' URLs do not hold", async () => {
    const { port } = t.platform;
    await t.platform.close();
    const message = await failureOf({ port: port === 65535 ? 1024 : port + 1 });
    expect(message).to.contain(`has port ${port}`).and.contain("platform.json");
    await t.restart();
  });

  it("is held by one platform at a time, also within a process", async () => {
    expect(await failureOf({ port: 0 })).to.contain(
      `the local platform at ${t.platform.url}, process ${process.pid}, runs on it: use that one, ` +
        `end it with \`pulumi-agentserver local stop --data-dir ${t.dataDir}\`, or choose another folder`,
    );
    expect((await t.request("GET", "/v2/deployments")).status).to.equal(200);
  });

  it("names another process only where its own record is of one that has ended, or damaged", async () => {
    const path = join(t.dataDir, "platform.json");
    const identity = readIdentity(t.dataDir);
    // The largest process id of Linux is 4194304.
    for (const text of ["{", JSON.stringify({ ...identity, pid: 4_194_305 })]) {
      await writeFile(path, text);
      expect(await failureOf({ port: 0 })).to.contain("another process uses it: stop that process");
    }
  });

  it("records the dialect of the last start", async () => {
    const recorded = () => readIdentity(t.dataDir)?.dialect;
    expect(recorded()).to.equal("agentserver");
    await t.restart({ dialect: "langsmith" });
    expect([recorded(), t.platform.dialect]).to.deep.equal(["langsmith", "langsmith"]);
  });

  it("keeps git from a folder of its own, and leaves one with other content alone", async () => {
    const ignored = await readFile(join(t.dataDir, ".gitignore"), "utf8");
    expect(ignored.split("\n")).to.include("*");
    const dataDir = join(t.dataDir, "shared");
    await mkdir(dataDir);
    await writeFile(join(dataDir, "other.txt"), "");
    const other = await startTestPlatform({ dataDir });
    await other.platform.close();
    expect(await readdir(dataDir)).not.to.include(".gitignore");
  });

  describe("with the admin key", () => {
    it("is stopped over HTTP; the connection closes when it has closed", async () => {
      const stopped = t.admin("POST", "/stop").catch(() => "closed");
      await t.platform.closed;
      expect(await stopped).to.equal("closed");
      expect(removeData(t.dataDir)).to.deep.equal([]);
      expect(existsSync(t.dataDir)).to.equal(false);
    });

    it("is not stopped with another", async () => {
      const { status } = await t.request("POST", "/_local/stop");
      expect(status).to.equal(401);
      expect((await t.request("GET", "/v2/deployments")).status).to.equal(200);
    });
  });

  describe("removal of its data", () => {
    it("leaves what is not its own, with its .gitignore", async () => {
      await t.create();
      await writeFile(join(t.dataDir, "own.txt"), "");
      await t.platform.close();
      expect(removeData(t.dataDir)).to.deep.equal(["own.txt"]);
      expect(await readdir(t.dataDir)).to.have.members([".gitignore", "own.txt"]);
    });

    it("is refused while it runs, and in a folder without a platform", async () => {
      expect(() => removeData(t.dataDir)).to.throw(StartError, "runs on it");
      expect((await t.request("GET", "/v2/deployments")).status).to.equal(200);
      const none = join(t.dataDir, "none");
      expect(() => removeData(none)).to.throw(StartError, "no local platform has run");
      expect(existsSync(none)).to.equal(false);
    });
  });

  it("gives the folder back when it could not start", async () => {
    const { port } = t.platform;
    await t.platform.close();
    await failureOf({ port: port === 65535 ? 1024 : port + 1 });
    await t.restart();
  });

  it("leaves no database behind where it could not start for the first time", async () => {
    const dataDir = join(t.dataDir, "new");
    const { port } = t.platform;
    expect(await failureOf({ dataDir, port })).to.contain(`port ${port} is in use`);
    expect(await readdir(dataDir)).to.deep.equal([]);
    // Another free one is taken then.
    const other = await startTestPlatform({ dataDir, port: 0 });
    await other.platform.close();
    expect(await readdir(dataDir)).to.include.members(["platform.db", "platform.json"]);
  });

  it("keeps the mode of a folder with other content, and its own files from other users", async () => {
    const dataDir = join(t.dataDir, "shared");
    await mkdir(dataDir);
    await writeFile(join(dataDir, "other.txt"), "");
    await chmod(dataDir, 0o755);
    const other = await startTestPlatform({ dataDir });
    const modeOf = async (name: string) => (await stat(join(dataDir, name))).mode & 0o777;
    expect(await Promise.all(["", "platform.db", "platform.json"].map(modeOf))).to.deep.equal([
      0o755, 0o600, 0o600,
    ]);
    await other.platform.close();
  });

  it("refuses a folder of a newer release, and leaves it as it is", async () => {
    await t.platform.close();
    const path = join(t.dataDir, "platform.db");
    const setVersion = (version: number) => {
      const database = new Libsql(path);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
    };
    const version = versionOf(path);
    setVersion(99);
    expect(await failureOf({}))
      .to.contain("schema version 99")
      .and.contain(t.dataDir);
    setVersion(version);
    await t.restart();
  });

  it("says so when the database is none", async () => {
    await t.platform.close();
    await writeFile(
      join(t.dataDir, "platform.db"),
      "no database, but long enough to look at".repeat(30),
    );
    expect(await failureOf({}))
      .to.contain(t.dataDir)
      .and.contain("not a database");
  });

  it("says so when the folder can't be made", async () => {
    const file = join(t.dataDir, "file");
    await writeFile(file, "");
    expect(await failureOf({ dataDir: join(file, "below") })).to.contain("cannot use data folder");
  });

  it("says so when the folder can't be written, and leaves port and folder free", async () => {
    await t.platform.close();
    const inTheWay = join(t.dataDir, "platform.json.new");
    await mkdir(inTheWay);
    expect(await failureOf({})).to.contain(`cannot start on data folder ${t.dataDir}: EISDIR`);
    await rmdir(inTheWay);
    await t.restart();
  });

  it("closes once, however often it is asked to", async () => {
    await Promise.all([t.platform.close(), t.platform.close()]);
    await t.platform.close();
    await t.restart();
  });
});
