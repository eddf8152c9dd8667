import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { needPython, needYamlHost } from "../support/languages";
import { describeNightly } from "../support/tiers";

/** Types what a README says, its platform being on a port of its own, since 8123 may be taken on this machine. */
async function typeReadme(
  root: Root,
  readme: string,
  { chapter = "Try it", folders = [] }: { chapter?: string; folders?: readonly string[] } = {},
): Promise<string> {
  const [platformCommand = "", commands = ""] = await commandsOf(readme, chapter);
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

describeNightly("what the READMEs of the quickstart and of other languages say to type", () => {
  let root: Root;

  beforeEach(async () => {
    root = await makeRoot();
  });
  afterEach(() => root.remove());

  const expectLife = (printed: string) => {
    expect(printed).to.contain("+ 2 created");
    expect(printed).to.contain('"variables":["LOG_LEVEL","MODEL_API_KEY"]');
    expect(printed).to.contain("2 unchanged");
    expect(printed).to.contain("- 2 deleted");
    expect(printed).not.to.contain("not-a-real-key");
  };

  it("deploys the quickstart from the repository's root and takes it away again", async () => {
    const chapter = "By hand";
    expectLife(await typeReadme(root, "examples/quickstart/README.md", { chapter }));
    const configuration = await readFile(join(root.dir, "Pulumi.dev.yaml"), "utf8");
    expect(configuration).to.match(/modelApiKey:\n +secure: v1:/);
    expect(configuration, "one source of the key").not.to.contain("agentserver:apiKey");
  });

  for (const [language, need] of [
    ["yaml", async (context: Mocha.Context) => [await needYamlHost(context)]],
    ["python", async (context: Mocha.Context) => (await needPython(context), [])],
  ] as const)
    it(`deploys an agent that answers from ${language}, changes it and takes it away again`, async function () {
      const folders = await need(this);
      const printed = await typeReadme(root, `examples/${language}/README.md`, { folders });
      expectLife(printed);
      expect(printed).to.contain("~ 1 updated");
      const state = join(root.dir, ".agentserver", language, "state");
      expect(await storedIn(state)).not.to.contain("not-a-real-key");
    });
});
