import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { commandsOf, makeRoot, type Root, type } from "../../support/by-hand";
import { needPython, needYamlHost } from "../../support/languages";
import { describeNightly } from "../../support/tiers";

/** Types what a README says, its platform being on a port of its own, since 8123 may be taken on this machine. */
async function typeReadme(root: Root, readme: string, folders: readonly string[]): Promise<string> {
  const [platformCommand = "", commands = ""] = await commandsOf(readme, "Try it");
  const platform = spawn("sh", ["-c", `exec ${platformCommand.trim()} --port 0`], {
    cwd: root.dir,
    env: { ...process.env, PATH: `${join(root.dir, "node_modules/.bin")}:${process.env["PATH"]}` },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface(platform.stdout), "line");
    expect(String(line)).to.match(/http:\/\/127\.0\.0\.1:\d+/);
    return await type(
      `export PATH="${[...folders, "$PATH"].join(delimiter)}"\n${commands}`,
      root.dir,
    );
  } finally {
    const ended = once(platform, "exit");
    process.kill(-Number(platform.pid), "SIGTERM");
    await ended;
  }
}

/** All files of the stack's backend: the state and its history. */
async function storedIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8"));
  return (await Promise.all(texts)).join("\n");
}

describeNightly("what the READMEs of the examples in other languages say to type", () => {
  let root: Root;

  beforeEach(async () => {
    root = await makeRoot();
  });
  afterEach(() => root.remove());

  const expectLife = async (printed: string, name: string) => {
    expect(printed).to.contain("+ 2 created");
    expect(printed).to.contain('"variables":["LOG_LEVEL","MODEL_API_KEY"]');
    expect(printed).to.contain("~ 1 updated");
    expect(printed).to.contain("2 unchanged");
    expect(printed).to.contain("- 2 deleted");
    expect(printed).not.to.contain("not-a-real-key");
    expect(await storedIn(join(root.dir, ".agentserver", name, "state"))).not.to.contain(
      "not-a-real-key",
    );
  };

  it("deploys an agent that answers from YAML, changes it and takes it away again", async function () {
    const host = await needYamlHost(this);
    const printed = await typeReadme(root, "examples/yaml/README.md", [host]);
    await expectLife(printed, "yaml");
    expect(printed).to.contain("an update creates a new revision: variable LOG_LEVEL changed");
  });

  it("deploys an agent that answers from Python, changes it and takes it away again", async function () {
    await needPython(this);
    await expectLife(await typeReadme(root, "examples/python/README.md", []), "python");
  });
});
