import { expect } from "chai";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findConnection } from "../../../cli/connection";
import { type EnvOptions, handOn } from "../../../cli/env/env";
import { COMMANDS } from "../../../cli/env/shells";
import { insecureText } from "../../../cli/pulumi";
import { startTestPlatform, usePlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { notingPulumi } from "../pulumi";
import { testTerminal } from "../terminal";
import { useFolder } from "../../local/children";

const run = promisify(execFile);
const CLI = join(__dirname, "../../../cli/main.js");

describe("the command env", () => {
  const t = usePlatform({ dialect: "langsmith" });
  const folder = useFolder();

  const values = () => ({
    AGENTSERVER_BASE_URL: t.platform.url,
    AGENTSERVER_API_KEY: t.platform.apiKey,
    AGENTSERVER_WORKSPACE_ID: t.platform.workspaceId,
    AGENTSERVER_DIALECT: "langsmith",
  });
  const print = async (options: Partial<EnvOptions> = {}) => {
    const terminal = testTerminal();
    await handOn({ dataDir: t.dataDir, json: false, ...options }, terminal);
    return terminal;
  };

  it("prints what a shell evaluates to reach the control plane", async () => {
    const script = `
      export AGENTSERVER_BEARER_TOKEN=of-another
      eval "$(${process.execPath} ${CLI} env --data-dir ${t.dataDir})"
      env`;
    const { stdout } = await run("sh", ["-c", script], { env: { PATH: process.env["PATH"] } });
    const lines = Object.entries(values()).map(([name, value]) => `${name}=${value}`);
    expect(stdout.split("\n").filter((line) => line.startsWith("AGENTSERVER_"))).to.have.members(
      lines,
    );
  });

  it("prints the same as JSON, and for other shells", async () => {
    expect((await print({ json: true })).json()).to.deep.equal([values()]);
    const fish = (await print({ shell: "fish" })).lines();
    expect(fish).to.include(`set -gx AGENTSERVER_BASE_URL '${t.platform.url}'`);
    expect(fish).to.include("set -e AGENTSERVER_BEARER_TOKEN");
    const powershell = (await print({ shell: "powershell" })).lines();
    expect(powershell).to.include(`$env:AGENTSERVER_BASE_URL = '${t.platform.url}'`);
  });

  it("hands the headers of a gateway on, and takes them back where there are none", async () => {
    const environment = { ...values(), AGENTSERVER_HEADERS: '{"X-Token":"a"}' };
    const { stdout } = await run(process.execPath, [CLI, "env", "--json"], {
      cwd: tmpdir(),
      env: { PATH: process.env["PATH"], ...environment },
    });
    expect(JSON.parse(stdout)).to.deep.equal(environment);
    expect((await print({ shell: "fish" })).lines()).to.include("set -e AGENTSERVER_HEADERS");
  });

  it("hands on that plain http is allowed to the folder's platform, wherever it listens, and not beside https", async () => {
    const url = "http://192.0.2.1:8123";
    const ofPlatform = JSON.parse(await readFile(join(t.dataDir, "platform.json"), "utf8"));
    await writeFile(folder("platform.json"), JSON.stringify({ ...ofPlatform, url }));
    const printed = (await print({ dataDir: folder(), json: true })).printed.out;
    const { settings } = findConnection({}, { environment: JSON.parse(printed) });
    expect(settings).to.include({ baseUrl: url, allowInsecureHttp: true });
    const environment = { ...values(), AGENTSERVER_BASE_URL: "https://ours.example.com" };
    const ours = findConnection({ allowInsecureHttp: true }, { environment });
    expect(insecureText(ours.settings)).to.equal(undefined);
  });

  it("is a step after an import, which names the control plane in full", async () => {
    await t.create({ name: "support" });
    const env = { PATH: process.env["PATH"], ...values() };
    for (const [at, options] of [[], ["--allow-insecure-http"]].entries()) {
      await run(process.execPath, [CLI, "import", `${at}`, ...options], { cwd: folder(), env });
      const place = `--base-url '${t.platform.url}' --workspace-id '${t.platform.workspaceId}' --dialect langsmith`;
      expect(await readFile(folder(`${at}/README.md`), "utf8")).to.contain(
        `env --pulumi prod ${[place, ...options].join(" ")}\n`,
      );
    }
  });

  it("quotes values so that a shell obeys nothing in them", async () => {
    const value = `a'b"c$(echo d)\\e \`f\``;
    const { stdout } = await run("sh", ["-c", `${COMMANDS.sh.set("X", value)}; printenv X`]);
    expect(stdout).to.equal(`${value}\n`);
    expect(COMMANDS.fish.set("X", `a'b\\c`)).to.equal(String.raw`set -gx X 'a\'b\\c'`);
    expect(COMMANDS.powershell.set("X", "a'b")).to.equal("$env:X = 'a''b'");
  });

  it("prefers the folder's platform to what the shell holds already", async () => {
    const AGENTSERVER_BASE_URL = "https://old.example.com";
    const keys = { AGENTSERVER_API_KEY: "old", AGENTSERVER_WORKSPACE_ID: "old" };
    const inFolder = { cwd: folder(), env: { ...process.env, AGENTSERVER_BASE_URL, ...keys } };
    const { stdout: old } = await run(process.execPath, [CLI, "env"], inFolder);
    expect(old).to.contain("https://old.example.com");
    const other = await startTestPlatform({ dataDir: folder(".agentserver") });
    await other.platform.close();
    const { stdout } = await run(process.execPath, [CLI, "env"], inFolder);
    expect(stdout).to.contain(other.platform.url).and.not.contain("old");
  });

  describe("--pulumi", () => {
    let environment: NodeJS.ProcessEnv;
    let noted: () => Promise<string>;
    beforeEach(async () => {
      ({ environment, notes: noted } = await notingPulumi(folder()));
    });
    const configure = (...args: string[]) =>
      run(process.execPath, [CLI, "env", "--pulumi", "dev", "--data-dir", t.dataDir, ...args], {
        env: environment,
      });

    it("hands every value over on standard input, the key as a secret, and prints none", async () => {
      const { stdout, stderr } = await configure("--json", "--allow-insecure-http");
      const notes = await noted();
      const { url, apiKey, workspaceId } = t.platform;
      const set = "args: config set --stack dev";
      expect(notes)
        .to.contain(`${set} --plaintext agentserver:baseUrl\nstdin: ${url}\n`)
        .and.contain(`${set} --plaintext agentserver:workspaceId\nstdin: ${workspaceId}\n`)
        .and.contain(`${set} --plaintext agentserver:dialect\nstdin: langsmith\n`)
        // Pulumi removes one newline, and the stand-in adds one.
        .and.contain(`${set} --secret agentserver:apiKey\nstdin: ${apiKey}\n\n`)
        .and.contain(`${set} --plaintext agentserver:allowInsecureHttp\nstdin: true\n`);
      for (const line of notes.split("\n").filter((each) => each.startsWith("args")))
        expect(line).not.to.contain(apiKey);
      expect(stdout + stderr).not.to.contain(apiKey);
      const names = ["baseUrl", "workspaceId", "dialect", "allowInsecureHttp", "apiKey"];
      const settings = names.map((name) => `agentserver:${name}`);
      expect(JSON.parse(stdout)).to.deep.equal({ stack: "dev", settings });
    });

    it("removes what an earlier control plane has left in the configuration", async () => {
      await configure("--dialect", "agentserver");
      const removed = ["dialect", "allowInsecureHttp", "selfHosted", "bearerToken", "headers"];
      const [command = ""] = (await noted()).split("\n");
      expect(command).to.match(/^args: config rm-all --stack dev /);
      for (const name of removed) expect(command).to.contain(` agentserver:${name}`);
    });

    it("leaves no key of another control plane beside the new URL where it ends halfway", async () => {
      const pulumi = await readFile(folder("pulumi"), "utf8");
      const failing = pulumi.replace("\n", '\ncase "$*" in *--secret*) exit 255; esac\n');
      await writeFile(folder("pulumi"), failing);
      await rejection(configure());
      expect(await noted()).to.match(/rm-all .* agentserver:apiKey [^]*--plaintext .*:baseUrl\n/);
    });

    it("says why Pulumi could not set it, and what to do where there is no Pulumi", async () => {
      await writeFile(folder("pulumi"), "#!/bin/sh\necho no such stack >&2; exit 255\n");
      expect(await configure().then(String, ({ stderr }: { stderr: string }) => stderr)).to.match(
        /^error: `pulumi config rm-all --stack dev agentserver:.*` failed: no such stack$/m,
      );
      environment = { ...environment, PATH: folder("none") };
      expect(await configure().then(String, ({ stderr }: { stderr: string }) => stderr))
        .to.contain("cannot run pulumi")
        .and.contain("install the Pulumi CLI");
    });
  });
});
