import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { expect } from "chai";
import { makeProject, REPOSITORY } from "../../scripts/project";
import { recordOf } from "../../shared/records";
import type { ProgramFile, Settings } from "../support/corpus";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform } from "../support/platform";
import type { Run } from "../support/run";
import { describeIn } from "../support/tiers";

/** A program's stack, and how it gets another version. */
interface Subject {
  readonly stack: TestStack;
  readonly declare: (version: number) => Promise<void> | void;
}

/** A program that is run in this process, as one of the Automation API. */
async function inlineSubject(file: ProgramFile, settings: Settings): Promise<Subject> {
  const stack = await TestStack.create({}, async () => undefined);
  const declare = (version: number) => {
    stack.program = async () => recordOf(await file.program(settings, version));
  };
  return { stack, declare };
}

/** A program in JavaScript that Pulumi's own language host runs, in a project of its own. */
async function projectSubject(path: string, settings: Settings): Promise<Subject> {
  const [name, extension] = [basename(path), extname(path)];
  const project = await makeProject("agentserver-program-", [`tests/programs/${name}`]);
  const write = (file: string, text: string) => writeFile(join(project.dir, file), text);
  const main = `index${extension}`;
  const runtime = "{ name: nodejs, options: { typescript: false } }";
  await write("Pulumi.yaml", `name: shop\nruntime: ${runtime}\nmain: ${main}\n`);
  const type = extension === ".mjs" ? "module" : "commonjs";
  await write("package.json", JSON.stringify({ name: "shop", private: true, type }));
  const declare = (version: number) => {
    const told = `${JSON.stringify(settings)}, ${version}`;
    return write(
      main,
      extension === ".mjs"
        ? `import { program } from "./${name}";\nexport const outputs = await program(${told});\n`
        : `module.exports = require("./${name}").program(${told});\n`,
    );
  };
  return { stack: await TestStack.inFolder(project, "test"), declare };
}

/** The steps of a run that must succeed, done or planned, for resources that are not left as they are. */
function changesOf(what: string, run: Run): Record<string, string> {
  expect(run.ok, `${what} failed: ${run.text}\n${run.messages.join("\n")}`).to.equal(true);
  const left = ["same", "read", "refresh"];
  return Object.fromEntries(
    Object.entries(run.resources).filter(([, step]) => !left.includes(step)),
  );
}

/** Takes a program through its life on a platform of its own. */
async function live(path: string, file: ProgramFile): Promise<void> {
  const { steps, kept } = file.expected;
  const test = await startTestPlatform();
  const { url, apiKey, workspaceId } = test.platform;
  const settings = { baseUrl: url, apiKey, workspaceId, integrationId: test.integrationId };
  const isInline = extname(path) === ".js";
  const subject = isInline ? inlineSubject(file, settings) : projectSubject(path, settings);
  const { stack, declare } = await subject;
  const outputs = async () => {
    const all = await stack.stored();
    return all.find(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"))?.outputs ?? {};
  };
  try {
    await stack.configure(settingsFor(test.platform));
    await declare(1);
    changesOf("the first up", await stack.up());
    expect(changesOf("a preview", await stack.preview()), "a preview").to.deep.equal({});
    const before = await outputs();
    await declare(2);
    expect(changesOf("the change", await stack.up()), "the change").to.deep.equal(steps);
    const after = await outputs();
    for (const name of kept) expect(after[name], `the output ${name}`).to.deep.equal(before[name]);
    const preview = await stack.preview({ refresh: true });
    expect(changesOf("a preview that refreshes", preview), "that preview").to.deep.equal({});
    changesOf("the destroy", await stack.destroy());
    expect(await stack.stored(), "the state after the destroy").to.deep.equal([]);
    expect(await test.deployments(), "the control plane after it").to.deep.equal([]);
  } finally {
    await stack.remove();
    await test.close();
  }
}

/** Programs in TypeScript as they are compiled, those in JavaScript as they are. */
function programFiles(): string[] {
  const all = (folder: string, extensions: readonly string[]) =>
    readdirSync(folder)
      .filter((name) => extensions.includes(extname(name)))
      .map((name) => join(folder, name));
  return [
    ...all(join(__dirname, "../programs"), [".js"]),
    ...all(join(REPOSITORY, "tests/programs"), [".mjs", ".cjs"]),
  ];
}

for (const path of programFiles()) {
  const file: ProgramFile = require(path);
  const name = basename(path, extname(path)).replaceAll("-", " ");
  describeIn(file.expected.tier ?? "short", `the program ${name}, on the real engine`, () =>
    it("comes up, has nothing to do, makes its change alone, is as the service has it, and is destroyed", () =>
      live(path, file)),
  );
}
