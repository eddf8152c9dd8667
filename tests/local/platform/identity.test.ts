import { expect } from "chai";
import Libsql from "libsql";
import { chmod, mkdir, readdir, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startLocalPlatform, StartError } from "../../../local";
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
    expect(await failureOf({ port: 0 })).to.contain("another process uses it");
    expect((await t.request("GET", "/v2/deployments")).status).to.equal(200);
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
