import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import {
  filesOf,
  generateSdk,
  PYTHON_SDK,
  SCHEMA_HASH,
  schemaHash,
} from "../../scripts/sdks/generate";
import { start } from "../../lab/processes";
import { REPOSITORY } from "../../scripts/project";
import { SCHEMA } from "../../scripts/schema/package";
import { RESOURCE_TYPES } from "../../provider/resource-types";
import { installedSdk, needGo, pythonTools } from "../support/languages";
import { describeLong } from "../support/tiers";
import { aFolder } from "../local/children";

const run = promisify(execFile);
const GO_ENVIRONMENT = { ...process.env, GOWORK: "off" };
const FLAGS = ["-trimpath", "-tags=osusergo,grpcnotrace"];

describe("the committed SDK for Python", () => {
  it("was generated from the committed schema: else run `npm run sdks`, which needs Go", async () => {
    expect(await readFile(SCHEMA_HASH, "utf8")).to.equal(await schemaHash());
  });
});

describeLong("the SDKs of other languages, by Pulumi's own generators", () => {
  let folder: string;

  before(async function () {
    await needGo(this);
    folder = await aFolder();
  });
  after(() => folder && rm(folder, { recursive: true, force: true }));

  it("are made of a schema that keeps Pulumi's rules; that of Python is committed: else run `npm run sdks`", async () => {
    const python = join(folder, "python");
    await generateSdk("python", python);
    expect(await filesOf(PYTHON_SDK)).to.deep.equal(await filesOf(python));
  });

  it("are made for Go, with a type for each kind, and compile", async () => {
    const go = join(folder, "go");
    await generateSdk("go", go);
    const files = await filesOf(go);
    const kinds = Object.values(RESOURCE_TYPES).map(
      ({ lifecycle }) => `agentserver/${lifecycle}.go`,
    );
    expect(Object.keys(files)).to.include.members(kinds);
    // Pulumi's SDK for Go is in the module of the command line, with all that it needs.
    const { language } = JSON.parse(await readFile(SCHEMA, "utf8"));
    const module = `module ${language.go.importBasePath.replace(/\/agentserver$/, "")}`;
    const modules = join(REPOSITORY, "scripts/pulumi-cli");
    await cp(join(modules, "go.sum"), join(go, "go.sum"));
    const text = await readFile(join(modules, "go.mod"), "utf8");
    await writeFile(join(go, "go.mod"), text.replace(/^module .*/, module));
    // With the flags of the command line, whose build Go remembers.
    await run("go", ["build", ...FLAGS, "-mod=mod", "./..."], { cwd: go, env: GO_ENVIRONMENT });
  });
});

describeLong("the SDK for Python, installed", () => {
  let tools: Awaited<ReturnType<typeof pythonTools>>;
  let installed: string;

  before(async function () {
    tools = await pythonTools(this);
    installed = await installedSdk(tools.python);
  });
  after(() => installed && rm(installed, { recursive: true, force: true }));

  it("is typed: mypy and pyright accept every example, and refuse a wrong argument", async () => {
    const examples = join(installed, "examples");
    for (const folder of ["examples/reference", "examples/python"])
      await cp(join(REPOSITORY, folder), examples, { recursive: true });
    const wrong = "import pulumi_agentserver as a\na.Listener('x', compute_type=1)\n";
    await writeFile(join(installed, "wrong.py"), wrong);
    const config = { include: ["examples", "wrong.py"], extraPaths: ["."] };
    await writeFile(join(installed, "pyrightconfig.json"), JSON.stringify(config));
    const names = (await readdir(examples)).filter((name) => name.endsWith(".py"));
    const files = [...names.map((name) => join("examples", name)), "wrong.py"];
    const options = { cwd: installed, env: { ...process.env, MYPYPATH: installed } };
    const strict = ["-m", "mypy", "--strict", "--follow-imports=silent", "--scripts-are-modules"];
    for (const [program, ...args] of [
      [tools.python, ...strict, ...files],
      [tools.pyright, "--pythonpath", tools.python],
    ]) {
      const { code, text } = await start(String(program), args, options).finished;
      expect(code, text).to.equal(1);
      const errors = text.split("\n").filter((line) => /error:/.test(line));
      expect(errors, text).to.not.deep.equal([]);
      expect(errors.filter((line) => !line.includes("wrong.py"))).to.deep.equal([]);
    }
    expect(files).to.have.length.above(20);
    expect(await readdir(join(installed, "pulumi_agentserver"))).to.include("py.typed");
  });
});
