import { expect } from "chai";
import { once } from "node:events";
import fs, { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { mock } from "node:test";
import { startLocalPlatform, StartError } from "../../../local";
import { removeData } from "../../../local/platform/folder";
import {
  ENTRIES,
  readCreated,
  readIdentity,
  writeCreated,
} from "../../../local/platform/identity-file";
import { Database } from "../../../local/sqlite/database";
import { rejection } from "../../support/rejection";
import { startTestPlatform, useFreshPlatform } from "../../support/platform";
import { aFolder } from "../children";

const OTHER = "CREATE TABLE platform (port INTEGER)";

describe("local/platform/identity", () => {
  const t = useFreshPlatform();

  const failureOf = async (options: object) => {
    const error = await rejection(
      startLocalPlatform({ driver: "simulated", dataDir: t.dataDir, ...options }),
    );
    expect(error).to.be.instanceOf(StartError);
    return error.message;
  };

  /** Has a platform run in a folder below its own, which holds these files. Returns the folder. */
  const runIn = async (name: string, files: Record<string, string> = {}) => {
    const dataDir = join(t.dataDir, name);
    await mkdir(dataDir, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(dataDir, file), text);
    const { platform } = await startTestPlatform({ dataDir });
    await platform.close();
    return dataDir;
  };

  /** Writes other values into its `platform.json`; leaves a value out that is undefined. */
  const changeFile = async (changes: object) => {
    const path = join(t.dataDir, "platform.json");
    const content: object = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...content, ...changes }));
  };

  it("is the same at every start, and with the port that it has, and records the dialect of the last one", async () => {
    const { url, apiKey, workspaceId, adminKey, port } = t.platform;
    for (const asked of [0, undefined, port]) {
      await t.restart({ port: asked, dialect: "langsmith" });
      expect(t.platform).to.include({ url, apiKey, workspaceId, adminKey, port });
    }
    const dialects = [readIdentity(t.dataDir)?.dialect, t.platform.dialect];
    expect(dialects).to.deep.equal(["langsmith", "langsmith"]);
  });

  it("keeps its port, which its deployments' URLs hold, and names its file where that is taken or another is asked for", async () => {
    const { port } = t.platform;
    await t.platform.close();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    expect(await failureOf({ port: undefined }).finally(() => other.close()))
      .to.match(new RegExp(`port ${port}.*in use by another process`))
      .and.contain("platform.json");
    const message = await failureOf({ port: port === 65535 ? 1024 : port + 1 });
    expect(message).to.contain(`has port ${port}`).and.contain("platform.json");
    await t.restart();
  });

  it("is held by one platform at a time, also within a process", async () => {
    const message = await failureOf({ port: 0 });
    expect(message).to.contain(`at ${t.platform.url}, process ${process.pid}, runs on it`);
    expect(message).to.contain(`pulumi-agentserver local stop --data-dir ${t.dataDir}`);
    expect((await t.request("GET", "/v2/deployments")).status).to.equal(200);
    // The largest process id of Linux is 4194304.
    for (const changes of [{ pid: undefined }, { pid: 4_194_305 }]) {
      await changeFile(changes);
      expect(await failureOf({ port: 0 })).to.contain("another process uses it: stop that process");
    }
  });

  it("is stopped over HTTP; the connection closes when it has closed, which happens once however often it is asked to", async () => {
    const stopped = t.admin("POST", "/stop").catch(() => "closed");
    await t.platform.closed;
    expect(await stopped).to.equal("closed");
    await Promise.all([t.platform.close(), t.platform.close()]);
    expect(removeData(t.dataDir)).to.deep.equal([]);
    expect(existsSync(t.dataDir)).to.equal(false);
  });

  describe("in a folder with other content", () => {
    it("does not start where a folder, file or link has the name of an entry of its own", async () => {
      for (const [index, put] of [
        (path: string) => mkdir(path),
        (path: string) => writeFile(path, ""),
        (path: string) => symlink("nowhere", path),
      ].entries())
        for (const entry of ENTRIES.filter((name) => name !== ".gitignore")) {
          const dataDir = join(t.dataDir, `${entry}-${index}`);
          await mkdir(dataDir);
          await put(join(dataDir, entry));
          const message = await failureOf({ dataDir, port: 0 });
          expect(message).to.contain(`cannot use data folder ${dataDir}: `);
          const reason = message.replaceAll(dataDir, "");
          expect(reason).to.contain(entry).and.contain(": move that away, or choose another");
          expect(await readdir(dataDir)).to.deep.equal([entry]);
        }
    });

    it("lists an entry in platform.json before it creates it", async () => {
      const dataDir = join(t.dataDir, "new");
      const created: string[] = [];
      const unlisted: string[] = [];
      for (const name of ["mkdirSync", "openSync", "writeFileSync"] as const) {
        const original = fs[name];
        mock.method(fs, name, (path: string, ...rest: unknown[]): unknown => {
          const entry = ENTRIES.find((own) => own === relative(dataDir, path));
          if (entry && !existsSync(path)) {
            created.push(entry);
            if (!["platform.json", ...(readCreated(dataDir) ?? [])].includes(entry))
              unlisted.push(entry);
          }
          return Reflect.apply(original, fs, [path, ...rest]);
        });
      }
      await runIn("new").finally(() => mock.restoreAll());
      expect(created).to.include.members(["platform.json", "deployments", "cache", "platform.db"]);
      expect(unlisted).to.deep.equal([]);
    });

    it("starts, or is removed, after one that was killed while it created its entries", async () => {
      const dataDir = join(t.dataDir, "killed");
      // It had created platform.json and not written it, or had listed everything, or created some of that.
      for (const [listed, entry] of [
        ["", ""],
        [ENTRIES, ""],
        [ENTRIES, "deployments"],
      ] as const) {
        await mkdir(join(dataDir, entry), { recursive: true });
        if (listed) writeCreated(dataDir, listed);
        else await writeFile(join(dataDir, "platform.json"), "", { mode: 0o600 });
        if (!entry) await runIn("killed");
        expect(readCreated(dataDir)).to.deep.equal(ENTRIES);
        expect(removeData(dataDir)).to.deep.equal([]);
        expect(existsSync(dataDir)).to.equal(false);
      }
    });
  });

  describe("removal of its data", () => {
    /** A folder outside of the platform's, with a file. */
    const anotherFolder = async () => {
      const folder = await aFolder();
      await writeFile(join(folder, "kept.txt"), "");
      return folder;
    };
    const everythingIn = async (folder: string) =>
      (await readdir(folder, { recursive: true })).toSorted();

    it("leaves what is not its own or not in its list, its .gitignore, the data of a platform in a folder below, and the link that leads there", async () => {
      const dataDir = await runIn("shared", { ".gitignore": "dist\n" });
      expect(removeData(dataDir)).to.deep.equal([".gitignore"]);
      expect(await readFile(join(dataDir, ".gitignore"), "utf8")).to.equal("dist\n");
      const below = await runIn("below");
      const before = await everythingIn(below);
      await t.create();
      await t.platform.close();
      const created = readCreated(t.dataDir)?.filter((entry) => entry !== "deployments");
      await changeFile({ created });
      await writeFile(join(t.dataDir, "deployments", "production.yaml"), "");
      const link = `${t.dataDir}-link`;
      await symlink(t.dataDir, link);
      const left = [".gitignore", "below", "deployments", "shared"];
      expect(removeData(link)).to.have.members(left);
      expect(await readdir(link)).to.have.members(left);
      expect(await readdir(join(link, "deployments"))).to.deep.equal(["production.yaml"]);
      expect(await everythingIn(below)).to.deep.equal(before);
      await rm(link);
    });

    it("removes nothing without its own valid list, and names what is there", async () => {
      await t.platform.close();
      const path = join(t.dataDir, "platform.json");
      const valid = await readFile(path, "utf8");
      await writeFile(join(t.dataDir, "list.json"), valid);
      const { created: _, ...unlisted }: Record<string, unknown> = JSON.parse(valid);
      for (const [reason, text] of [
        ["platform.json, which lists what a local platform created, is missing"],
        ["JSON", ""],
        ["JSON", valid.slice(0, -20)],
        ["must list what a local platform created in the folder", JSON.stringify(unlisted)],
        ["created.1: ", '{"created":["cache","../cache"]}'],
        ["platform.json is not valid: it is a symbolic link", "link"],
      ] as const) {
        await rm(path, { force: true });
        if (text === "link") await symlink("list.json", path);
        else if (text !== undefined) await writeFile(path, text);
        const before = await everythingIn(t.dataDir);
        const removing = () => removeData(t.dataDir);
        expect(removing).to.throw(StartError, reason);
        expect(removing).to.throw(`nothing was removed from data folder ${t.dataDir}: `);
        expect(removing).to.throw("It has deployments, cache, .gitignore, platform.db");
        // A start does not claim it either.
        expect(await failureOf({})).to.contain(`cannot use data folder ${t.dataDir}`);
        expect(await everythingIn(t.dataDir)).to.deep.equal(before);
      }
    });

    it("removes nothing where only a copy of another folder's list is, nor starts there; of links nothing that they lead to", async () => {
      const folder = await anotherFolder();
      await mkdir(join(folder, "deployments"));
      await copyFile(join(t.dataDir, "platform.json"), join(folder, "platform.json"));
      const before = await everythingIn(folder);
      const reason = "the platform.db of its platform is missing";
      expect(() => removeData(folder)).to.throw(StartError, reason);
      expect(await failureOf({ dataDir: folder, port: 0 })).to.contain(reason);
      expect(await everythingIn(folder)).to.deep.equal(before);
      await rm(folder, { recursive: true });
      const outside = await anotherFolder();
      await t.platform.close();
      for (const entry of ["cache", "deployments/link"]) {
        await rm(join(t.dataDir, entry), { recursive: true, force: true });
        await symlink(outside, join(t.dataDir, entry));
      }
      expect(removeData(t.dataDir)).to.deep.equal([]);
      expect(await everythingIn(outside)).to.deep.equal(["kept.txt"]);
      await rm(outside, { recursive: true });
    });

    it("is refused while it runs, and in a folder without a platform", async () => {
      expect(() => removeData(t.dataDir)).to.throw(StartError, "runs on it");
      expect((await t.request("GET", "/v2/deployments")).status).to.equal(200);
      const none = join(t.dataDir, "none");
      expect(() => removeData(none)).to.throw(StartError, "no local platform has run");
      expect(existsSync(none)).to.equal(false);
    });
  });

  it("keeps the mode of a folder with other content, and its own files from other users, and leaves no database behind where it could not start", async () => {
    const dataDir = join(t.dataDir, "shared");
    await mkdir(dataDir, { mode: 0o755 });
    await runIn("shared", { "other.txt": "" });
    const modes = ["", "platform.db", "platform.json"].map((name) => stat(join(dataDir, name)));
    const found = (await Promise.all(modes)).map(({ mode }) => mode & 0o777);
    expect(found).to.deep.equal([0o755, 0o600, 0o600]);
    // Git is kept from a folder of its own alone.
    expect(await readdir(dataDir)).not.to.include(".gitignore");
    expect(await readFile(join(t.dataDir, ".gitignore"), "utf8")).to.match(/^\*$/m);
    const fresh = join(t.dataDir, "new");
    const { port } = t.platform;
    expect(await failureOf({ dataDir: fresh, port })).to.contain(`port ${port} is in use`);
    expect(await readdir(fresh)).to.deep.equal([]);
    expect((await stat(fresh)).mode & 0o777).to.equal(0o700);
    await runIn("new");
    expect(await readdir(fresh)).to.include.members(["platform.db", "platform.json"]);
  });

  it("of another release is refused with what to do, left as it is, and removed by a reset, but not while it is in use", async () => {
    const path = join(t.dataDir, "platform.db");
    const open = () => new Database(path, { access: "exclusive", schema: OTHER });
    await t.platform.close();
    await rm(path);
    open().close();
    const before = await readFile(path);
    const message = await failureOf({});
    expect(message).to.contain(`cannot use data folder ${t.dataDir}: another release of `);
    expect(message).to.contain(`npx pulumi-agentserver local reset --data-dir ${t.dataDir}`);
    expect(await readFile(path)).to.deep.equal(before);
    const running = open();
    expect(() => removeData(t.dataDir)).to.throw(StartError, "runs on it");
    running.close();
    expect(removeData(t.dataDir)).to.deep.equal([]);
    expect(existsSync(t.dataDir)).to.equal(false);
    await t.restart();
  });

  it("says so when the folder can't be made or written, the database is none, the driver is unknown, or the address is not this machine's, and leaves folder and ports free", async () => {
    const { url, pageUrl } = t.platform;
    await t.platform.close();
    const inTheWay = join(t.dataDir, "platform.json.new");
    await mkdir(inTheWay);
    expect(await failureOf({})).to.contain(`cannot start on data folder ${t.dataDir}: EISDIR`);
    await rmdir(inTheWay);
    await t.restart();
    expect(t.platform).to.include({ url, pageUrl });
    await t.platform.close();
    await writeFile(join(t.dataDir, "platform.db"), "no database, but long enough".repeat(30));
    const below = join(t.dataDir, "platform.db", "below");
    expect(await failureOf({ dataDir: below })).to.contain("cannot use data folder");
    expect(await failureOf({})).to.contain("not a database");
    const other = await failureOf({ dataDir: join(t.dataDir, "new"), driver: "other" });
    expect(other).to.contain("unknown driver 'other'; use process or");
    // Of a network that no machine has (RFC 5737).
    const away = { listen: "192.0.2.1", agentAuth: true, port: 0, dataDir: join(t.dataDir, "new") };
    expect(await failureOf(away)).to.match(/^cannot listen on 192.0.2.1, port 0: .*EADDRNOTAVAIL/);
  });
});
