import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { makeProject } from "../../scripts/project";
import { recordOf } from "../../shared/records";
import type { ProgramFile, Settings } from "./corpus";
import type { Subject } from "./corpus.life";
import { settingsFor, TestStack } from "./engine";

/** A program that is run in this process, as one of the Automation API. */
export async function inlineSubject(file: ProgramFile, settings: Settings): Promise<Subject> {
  const stack = await TestStack.create(configOf(settings), async () => undefined);
  const declare = (version: number) => {
    stack.program = async () => recordOf(await file.program(settings, version));
  };
  return { stack, declare };
}

/** A program in JavaScript that Pulumi's own language host runs, in a project of its own. */
export async function projectSubject(path: string, settings: Settings): Promise<Subject> {
  const name = basename(path);
  const project = await makeProject("agentserver-program-", [`tests/programs/${name}`]);
  const write = (file: string, text: string) => writeFile(join(project.dir, file), text);
  const main = `index${extname(path)}`;
  const runtime = "{ name: nodejs, options: { typescript: false } }";
  await write("Pulumi.yaml", `name: shop\nruntime: ${runtime}\nmain: ${main}\n`);
  const type = extname(path) === ".mjs" ? "module" : "commonjs";
  await write("package.json", JSON.stringify({ name: "shop", private: true, type }));
  const stack = await TestStack.inFolder(project, "test");
  await stack.configure(configOf(settings));
  const declare = (version: number) => {
    const told = `${JSON.stringify(settings)}, ${version}`;
    return write(
      main,
      extname(path) === ".mjs"
        ? `import { program } from "./${name}";\nexport const outputs = await program(${told});\n`
        : `module.exports = require("./${name}").program(${told});\n`,
    );
  };
  return { stack, declare };
}

function configOf({ baseUrl, apiKey, workspaceId }: Settings) {
  return settingsFor({ url: baseUrl, apiKey, workspaceId });
}
