import { expect } from "chai";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { stop } from "../../cli/local/stop";
import { startServer } from "../support/http";
import { anImageDeployment } from "../support/platform";
import { rejection } from "../support/rejection";
import { useFolder } from "../local/children";
import { testTerminal } from "./terminal";

const CLI = join(__dirname, "../../cli/main.js");
const Printed = z.strictObject({
  url: z.url(),
  port: z.int(),
  apiKey: z.string(),
  workspaceId: z.guid(),
  adminKey: z.string(),
  pid: z.int(),
  dialect: z.enum(["agentserver", "langsmith"]),
  pageUrl: z.url(),
});

describe("cli/main", () => {
  const dataDir = useFolder();
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });

  const spawnNode = (...args: string[]) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    return child;
  };
  const start = (...args: string[]) => spawnNode(CLI, ...args);
  const local = (...args: string[]) =>
    start("local", "--port", "0", "--driver", "simulated", "--data-dir", dataDir(), ...args);
  const firstLine = async (child: ReturnType<typeof start>) => {
    for await (const line of createInterface({ input: child.stdout })) return line;
    throw new Error("it printed nothing");
  };
  const printedBy = async (child: ReturnType<typeof start>) =>
    Printed.parse(JSON.parse(await firstLine(child)));
  const run = async (child: ReturnType<typeof start>) => {
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (text: Buffer) => (output.stdout += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output.stderr += text.toString()));
    await once(child, "close");
    return { ...output, exitCode: child.exitCode };
  };
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await fetch(`${url}/v2/deployments`, { headers })).status;

  it("prints one line of JSON when it answers, which platform.json has beside its list", async () => {
    const printed = await printedBy(local("--json", "--dialect", "langsmith"));
    expect(printed.url).to.equal(`http://127.0.0.1:${printed.port}`);
    expect(printed.dialect).to.equal("langsmith");
    expect(await statusOf(printed.url, { "X-Api-Key": printed.apiKey })).to.equal(200);
    expect(await statusOf(printed.url, {})).to.equal(401);
    const kept: unknown = JSON.parse(await readFile(dataDir("platform.json"), "utf8"));
    const created = (await readdir(dataDir())).filter((name) => name !== "platform.db-wal");
    expect(kept)
      .to.deep.include(printed)
      .and.to.have.property("created")
      .that.includes.members(created);
    expect(kept).to.have.all.keys(...Object.keys(printed), "created");
  });

  it("leaves a folder alone that another process uses, with exit code 1", async () => {
    const { url, pid } = await printedBy(local("--json"));
    const { exitCode, stdout, stderr } = await run(local("--json"));
    expect([exitCode, stdout]).to.deep.equal([1, ""]);
    expect(stderr)
      .to.contain(dataDir())
      .and.contain(`the local platform at ${url}, process ${pid}, runs on it`);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const)
    it(`ends cleanly on ${signal}`, async () => {
      const child = local("--json", "--stage-seconds", "3600");
      await printedBy(child);
      child.kill(signal);
      await once(child, "exit");
      expect(child.exitCode).to.equal(0);
    });

  describe("local stop and local reset", () => {
    const runLocal = (...words: string[]) => run(start("local", ...words, "--data-dir", dataDir()));

    it("stops the platform, with exit code 0 of both, and waits until it is gone", async () => {
      const child = local("--json", "--stage-seconds", "3600");
      const { url, pid } = await printedBy(child);
      const { exitCode, stdout, stderr } = await runLocal("stop");
      expect([exitCode, stderr]).to.deep.equal([0, ""]);
      expect(stdout).to.equal(`stopped the local platform at ${url}, process ${pid}\n`);
      expect(() => process.kill(pid, 0)).to.throw("ESRCH");
      expect(child.exitCode).to.equal(0);
      const again = await runLocal("stop", "--json");
      expect(JSON.parse(again.stdout)).to.deep.equal({ url, pid, stopped: false });
    });

    it("stops nothing but the platform of the folder, follows no redirect, and sends no key where none runs", async () => {
      const { pid, ...identity } = await printedBy(local("--json"));
      const path = dataDir("platform.json");
      const other = await startServer((_request, response, count) =>
        response.writeHead(count === 1 ? 200 : 307, { location: "/elsewhere" }).end(),
      );
      for (const [changes, status] of [
        [{ adminKey: "another" }, 401],
        [{ url: other.url }, 200],
        [{ url: other.url }, 307],
      ] as const) {
        await writeFile(path, JSON.stringify({ ...identity, pid, ...changes }));
        const { exitCode, stderr } = await runLocal("stop");
        expect(exitCode).to.equal(1);
        expect(stderr).to.contain(`local platform of this folder: it answered with ${status}`);
      }
      expect(process.kill(pid, 0)).to.equal(true);
      await writeFile(path, JSON.stringify({ ...identity, pid }));
      await runLocal("stop");
      // Another has taken the port since.
      await writeFile(path, JSON.stringify({ ...identity, pid, url: other.url }));
      const { stdout } = await runLocal("stop");
      expect(stdout).to.equal(`the local platform at ${other.url} does not run\n`);
      expect(other.received).to.have.length(2);
      await other.close();
    });

    it("names the process of a platform that does not end in its time, and what ends it", async () => {
      const child = local("--json");
      const { url, pid } = await printedBy(child);
      child.kill("SIGSTOP");
      const stopping = stop({ dataDir: dataDir(), json: false, limitMs: 200 }, testTerminal());
      const { message } = await rejection(stopping);
      expect(message).to.equal(
        `the local platform at ${url} has not ended within 0.2 s; end its process with \`kill -9 ${pid}\` where it runs: its data stays`,
      );
    });

    it("says so where no platform has run, before it asks", async () => {
      for (const word of ["stop", "reset"]) {
        const { exitCode, stderr } = await runLocal(word);
        expect(exitCode).to.equal(1);
        expect(stderr)
          .to.match(/^error: no local platform has run on /)
          .and.contain(dataDir());
      }
    });

    it("says in one line why a folder cannot be read", async () => {
      const long = "x".repeat(5000);
      for (const line of [["stop"], ["reset", "--yes"]]) {
        const { exitCode, stderr } = await run(start("local", ...line, "--data-dir", long));
        expect(exitCode).to.equal(1);
        expect(stderr).to.match(/^error: .*ENAMETOOLONG.*\n$/);
      }
    });

    it("removes the data of a platform that does not run, once that is confirmed", async () => {
      await printedBy(local("--json"));
      const running = await runLocal("reset", "--yes");
      expect([running.exitCode, running.stderr.includes("runs on it")]).to.deep.equal([1, true]);
      await runLocal("stop");
      expect((await runLocal("reset")).stderr).to.contain(
        `destroy such stacks first. Remove every deployment, thread, log and key in ${dataDir()}? Nobody can answer without a terminal: add --yes`,
      );
      expect(await readdir(dataDir())).to.include("platform.db");
      const { exitCode, stdout } = await runLocal("reset", "--yes");
      const removed = `removed the data of the local platform in ${dataDir()}\n`;
      expect([exitCode, stdout]).to.deep.equal([0, removed]);
      expect(existsSync(dataDir())).to.equal(false);
    });

    it("prints what it leaves", async () => {
      await printedBy(local("--json"));
      await runLocal("stop");
      await writeFile(dataDir("notes.txt"), "");
      const { exitCode, stdout } = await runLocal("reset", "--yes");
      expect(exitCode).to.equal(0);
      expect(stdout).to.contain("left in it, to be removed by hand: .gitignore, notes.txt\n");
      expect(await readdir(dataDir())).to.have.members([".gitignore", "notes.txt"]);
    });
  });

  it("opens the page at a deployment by a file that only its owner may read, with a link that works once; the printed one keeps working", async () => {
    const { url, apiKey, adminKey } = await printedBy(local("--json"));
    const headers = { "X-Api-Key": apiKey, "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "support", secrets: [], ...anImageDeployment() });
    await fetch(`${url}/v2/deployments`, { method: "POST", headers, body });
    process.env["BROWSER"] = "/bin/false";
    const none = await run(start("open", "--data-dir", dataDir()));
    expect(none.exitCode).to.equal(1);
    expect(none.stderr).to.match(/^error: no browser opens here; --no-browser prints the link/m);
    const browser = dataDir("browser");
    const seen = dataDir("seen");
    const script = `#!/bin/sh\necho "$1" > '${seen}.new' && mv '${seen}.new' '${seen}'\n`;
    await writeFile(browser, script, { mode: 0o700 });
    process.env["BROWSER"] = browser;
    const opened = await run(start("open", "supp", "--data-dir", dataDir()));
    delete process.env["BROWSER"];
    expect(opened.exitCode, opened.stderr).to.equal(0);
    while (!existsSync(seen)) await new Promise((resolve) => setTimeout(resolve, 20));
    const file = (await readFile(seen, "utf8")).trim();
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const [, link = ""] = /url=([^"]+)/.exec(await readFile(file, "utf8")) ?? [];
    expect(link).not.to.contain(adminKey);
    const open = async (to: string) => {
      const response = await fetch(to, { redirect: "manual" });
      return [response.status, response.headers.get("location")?.replace(/[^/]+$/, "")];
    };
    expect(await open(link)).to.deep.equal([303, "/deployments/"]);
    expect(await open(link)).to.deep.equal([401, undefined]);
    const { stdout } = await run(start("open", "supp", "--no-browser", "--data-dir", dataDir()));
    for (const _ of ["first", "again"])
      expect(await open(stdout.trim())).to.deep.equal([303, "/deployments/"]);
    await run(start("local", "stop", "--data-dir", dataDir()));
    const stopped = await run(start("open", "--no-browser", "--data-dir", dataDir()));
    expect([stopped.exitCode, stopped.stdout]).to.deep.equal([1, ""]);
  });

  it("reaches the platform and its agent servers past the proxy that NODE_USE_ENV_PROXY has Node use", async () => {
    const proxied = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "" };
    Object.assign(process.env, proxied);
    try {
      const child = start("local", "--json", "--port", "0", "--data-dir", dataDir());
      const { url, apiKey } = await printedBy(child);
      const headers = { "X-Api-Key": apiKey, "Content-Type": "application/json" };
      const body = JSON.stringify({ name: "support", secrets: [], ...anImageDeployment() });
      await fetch(`${url}/v2/deployments`, { method: "POST", headers, body });
      const status = await run(start("status", "support", "--wait", "--data-dir", dataDir()));
      expect(status.exitCode, status.stderr).to.equal(0);
      const { stdout } = await run(start("local", "stop", "--data-dir", dataDir()));
      expect(stdout).to.contain("stopped the local platform");
    } finally {
      for (const name of Object.keys(proxied)) delete process.env[name];
    }
  });

  it("fails with its stack for an error that nobody has foreseen, of which a terminal obeys nothing", async () => {
    const script = `
      process.stdout.write = () => { throw new Error("unforeseen\x1b[2J"); };
      require(${JSON.stringify(CLI)});`;
    const { exitCode, stderr } = await run(spawnNode("-e", script, "main", "completion", "bash"));
    expect(exitCode).to.equal(1);
    expect(stderr)
      .to.match(/^Error: unforeseen.*\n {4}at /)
      .and.not.contain("\x1b");
  });

  it("says in one line what the system refuses, as to write into a folder", async () => {
    const { url, apiKey } = await printedBy(local("--json"));
    const headers = { "X-Api-Key": apiKey, "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "support", secrets: [], ...anImageDeployment() });
    await fetch(`${url}/v2/deployments`, { method: "POST", headers, body });
    const folder = dataDir("imported");
    await symlink("missing/folder", folder);
    const { exitCode, stderr } = await run(start("import", folder, "--data-dir", dataDir()));
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/\nerror: ENOENT: .*imported.*\n$/);
  });

  for (const words of [["--help"], ["logs"], ["completion", "bash"]])
    it(`ends quietly when nobody reads what it prints: ${words.join(" ")}`, async () => {
      const child = start(...words);
      child.stdout.destroy();
      const { stderr } = await run(child);
      expect(stderr).not.to.contain("EPIPE");
      expect(child.exitCode).to.equal(words[0] === "logs" ? 2 : 0);
    });

  it("fails where what it prints cannot be written, as on a full disk", function () {
    if (!existsSync("/dev/full")) this.skip();
    const env = {
      AGENTSERVER_BASE_URL: "https://host",
      AGENTSERVER_API_KEY: "k",
      AGENTSERVER_WORKSPACE_ID: "k",
    };
    const args = ["-c", '"$0" "$1" env > /dev/full', process.execPath, CLI];
    const { status, stderr } = spawnSync("sh", args, { encoding: "utf8", env });
    expect(status).to.equal(1);
    expect(stderr).to.contain("error: cannot write the output: ENOSPC");
  });

  it("completes a line in bash, and neither runs nor writes what is in it", () => {
    const script = `
      pulumi-agentserver() { '${process.execPath}' '${CLI}' "$@"; }
      source <(pulumi-agentserver completion bash)
      COMP_WORDS=(pulumi-agentserver status '$(touch ran)' '>' written --wa) COMP_CWORD=5
      __pulumi_agentserver_complete
      echo "\${COMPREPLY[@]}" *`;
    const { stdout } = spawnSync("bash", ["-c", script], { cwd: dataDir(), encoding: "utf8" });
    expect(stdout).to.equal("--wait *\n");
  });

  it("completes commands and options in a shell", async () => {
    for (const [words, completed] of [
      [["redep"], /^redeploy\t/],
      [["redeploy", "x", "--wa"], /^--wait\t/],
    ] as const)
      expect((await run(start("complete", "--", ...words))).stdout).to.match(completed);
  });

  it("refuses to listen for other machines without --agent-auth", async () => {
    const { exitCode, stderr } = await run(local("--listen", "0.0.0.0"));
    expect(exitCode).to.equal(1);
    expect(stderr).to.contain("--agent-auth");
    const { url } = await printedBy(local("--listen", "0.0.0.0", "--agent-auth", "--json"));
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:/);
  });

  it("says what to install where an install has left out SQLite's binaries", async () => {
    const script = `
      const Module = require("node:module");
      const resolve = Module._resolveFilename;
      Module._resolveFilename = (name, ...rest) =>
        resolve(name.replace("@libsql/", "@libsql/absent-"), ...rest);
      require(${JSON.stringify(CLI)});`;
    const required = script.replace(JSON.stringify(CLI), '"pulumi-agentserver/local"');
    const { stderr: thrown } = await run(spawnNode("-e", required));
    expect(thrown).to.match(/^Error: SQLite for this machine, .*`npm install[^`]*`$/m);
    for (const line of [["local"], ["local", "reset"]]) {
      const child = spawnNode("-e", script, "main", ...line, "--data-dir", dataDir());
      const { exitCode, stdout, stderr } = await run(child);
      expect([exitCode, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.match(/^.*(start|reset) the local platform: .*`npm install[^`]*`\n$/);
    }
  });
});
