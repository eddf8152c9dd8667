import { readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { rejection } from "../../../support/rejection";
import { Scene } from "./scene";
import { writePython, type PythonSettings } from "./scripted-python";

const SERVER = "langgraph-cli[inmem]>=0.3,<=0.4.40 langgraph-api>=0.4.7,<=0.16.7";
const PYPROJECT = '[project]\nname = "support"\n';
const FINISHED = "using a finished build: an earlier revision has the same commit and settings";
const About = z.object({
  args: z.string().array(),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
});
const config = (dependencies: string[], more: object = {}) =>
  JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies, ...more });

describe("processDriver with a Python graph", () => {
  const scene = new Scene({
    "langgraph.json": config(["langgraph==1.2.24"]),
    "agent.py": "graph = None\n",
  });
  beforeEach(async () => {
    scene.start({ environment: await scene.link("ls", "env", "cp", "touch") });
  });

  const install = (name: string, settings?: PythonSettings) =>
    writePython(join(scene.bin, name), settings);
  const commit = (dependencies: string[], files: Record<string, string> = {}, more: object = {}) =>
    scene.repository.commit({ "langgraph.json": config(dependencies, more), ...files });
  const built = (id: string, sourceConfig: Readonly<Record<string, string>> = {}) =>
    scene.built(id, { sourceConfig });
  const reasonOf = async (id: string) => (await rejection(built(id))).message;
  const venvOf = async (id: string): Promise<string> =>
    JSON.parse(await readFile(scene.pathOf(id, "runtime.json"), "utf8")).venv;
  /** The folder of a revision's build. */
  const buildOf = async (id: string) => realpath(join(await venvOf(id), ".."));
  const installs = () => scene.log.filter((line) => / install in /.test(line));

  it("says to install Python where there is none or an old one, or the venv module, and needs none where there is uv", async () => {
    const words = "Python graphs need Python 3.11 or newer, but there is none on PATH";
    expect(await reasonOf("r1")).to.match(new RegExp(`^${words}; install python3 `));
    await install("python3", { version: "3.9.2" });
    expect(await reasonOf("r1")).to.contain(`${words} (python3 is 3.9.2); install`);
    await install("python3", { hasPip: false });
    expect(await reasonOf("r1")).to.match(/has no venv module; install it .*, or install uv$/);
    await install("uv");
    await built("r1");
    expect(installs()).to.deep.equal([
      "uv install in /: langgraph-cli==0.4.40",
      `uv install in /: ${SERVER} langgraph==1.2.24`,
    ]);
  });

  it("installs uv once where there is none, which takes packages from where pip does", async () => {
    await install("python3", { hasUv: true });
    await built("r1");
    expect(installs()).to.deep.equal([
      "pip install in /: uv==0.13.9 langgraph-cli==0.4.40",
      `uv install in / from https://packages.example.com/simple: ${SERVER} langgraph==1.2.24`,
    ]);
    await commit(["other"]);
    await built("r2");
    expect(installs()).to.have.length(1);
    await built("r3", { install_command: "uv pip install --python python mine" });
    expect(scene.log.join("\n")).to.match(/from https:\/\/packages\.example\.com\/simple: mine$/m);
  });

  it("has a pip of its own in an environment of uv that a command of the deployment may use", async () => {
    await install("python3");
    await install("uv");
    const isSeeded = () => scene.log.some((line) => line.startsWith("$ uv venv --quiet --seed "));
    await built("r1");
    expect(isSeeded()).to.equal(false);
    for (const setting of ["install_command", "build_command"]) {
      await built(setting, { [setting]: "env" });
      expect(isSeeded(), setting).to.equal(true);
    }
  });

  describe("with Python and no uv", () => {
    beforeEach(() => install("python3"));

    it("installs the server and the requirements into an environment, and says so", async () => {
      await built("r1");
      expect(scene.log).to.include.members([
        "using the real Python server",
        `using ${scene.bin}/python3 (Python 3.12.1)`,
        "uv cannot be installed; using pip, which takes longer",
      ]);
      expect(installs()).to.deep.equal([
        "pip install in /: uv==0.13.9 langgraph-cli==0.4.40",
        "pip install in /: langgraph-cli==0.4.40",
        `pip install in /: ${SERVER} langgraph==1.2.24`,
      ]);
    });

    it("uses the Python that the configuration asks for, by its path and version, or names the one that replaces it", async () => {
      await commit(["."], {}, { python_version: "3.13-slim" });
      for (const version of ["3.12.1", "3.11.4", "3.13.2"]) {
        if (version !== "3.12.1") await install("python3.13", { version });
        await built("r1");
        const line = version.startsWith("3.13")
          ? `using ${scene.bin}/python3.13 (Python 3.13.2)`
          : `python_version 3.13 is not installed; ${version} replaces it`;
        expect(scene.log).to.include(line).and.not.include(FINISHED);
      }
    });

    /** Has a program of that name on PATH which ends in an interpreter elsewhere. Returns that one's path. */
    async function shim(name: string, condition: string, version: string) {
      const real = join(scene.folder, "versions/python");
      await writePython(real, { version });
      await rm(join(scene.bin, name), { force: true });
      const script = `#!/bin/sh\n${condition} exec ${real} "$@"\n`;
      await writeFile(join(scene.bin, name), script, { mode: 0o755 });
      return real;
    }

    it("uses one of pyenv that is installed, whichever is selected, and the interpreter itself, not a program on PATH that chooses one by the folder", async () => {
      const real = await shim("python3.13", '[ "$PYENV_VERSION" = 3.13 ] || exit 127;', "3.13.0");
      await commit(["."], {}, { python_version: "3.13" });
      await built("r1");
      expect(scene.log).to.include(`using ${real} (Python 3.13.0)`);
      const own = await shim("python3", "ls .python-version && exit 1;", "3.12.1");
      await commit(["."], { ".python-version": "3.10.13\n" });
      await built("r1");
      expect(scene.log).to.include(`using ${own} (Python 3.12.1)`);
      expect(scene.log).to.include(`$ python -m venv ${await buildOf("r1")}/venv`);
    });

    it("follows the plan of the public tool: each step in its folder, each with the server", async () => {
      await commit(["a==1", "./app", "./lib", "./plain"], {
        "app/requirements.txt": "-e ../lib\n",
        "lib/pyproject.toml": PYPROJECT,
        "lib/requirements.txt": "ignored\n",
        "plain/__init__.py": "",
      });
      await built("r1");
      const place = await buildOf("r1");
      expect(installs().slice(2)).to.deep.equal([
        `pip install in /: ${SERVER} a==1`,
        `pip install in ${place}/checkout/app: ${SERVER} -r requirements.txt`,
        `pip install in ${place}/checkout/lib: ${SERVER} -e .`,
      ]);
      const paths = await readFile(join(place, "venv/bin/repository.pth"), "utf8");
      expect(paths).to.equal(`${place}/checkout/app\n${place}/packages/1\n`);
      expect(await readdir(join(place, "packages/1"))).to.deep.equal(["plain"]);
    });

    it("says what the public tool refuses, without paths of this machine, and installs nothing", async () => {
      await commit([]);
      expect(await reasonOf("r1")).to.match(/'langgraph.json' is not valid: .* in langgraph.json$/);
      expect(installs()).to.have.length(2); // of the public tool
    });

    it("installs the server of an api_version, or says in a sentence that it does not fit the packages, and whose choice it was", async () => {
      const ranges = { "0.12.6": "==0.12.6", "0.12": "==0.12.*", "~=0.11.2": "~=0.11.2" };
      for (const [version, range] of Object.entries({ ...ranges, ">~=0.11.2": ">=0.11.2" })) {
        await commit(["a"], {}, { api_version: version });
        await built("r1");
        expect(scene.log.join("\n")).to.contain(`<=0.4.40 langgraph-api${range} a`);
      }
      await commit(["misfit"]);
      expect(await reasonOf("r1"))
        .to.match(/^no langgraph-api from 0.4.7 to 0.16.7, .*; change them, or set api_version\n/)
        .and.match(/\nmisfit depends on langgraph-api<0.3\n/);
      await commit(["misfit"], {}, { api_version: "0.12" });
      expect(await reasonOf("r2")).to.match(/^api_version 0.12 asks for langgraph-api==0.12.\*, /);
      await commit(["newer"]);
      expect(await reasonOf("r1")).to.match(/3.12.1; set python_version .*\n.*'newer'/);
    });

    it("uses a finished build for every revision of the same commit and settings, but not what a server wrote", async () => {
      const touching = { build_command: "touch made.txt" };
      await built("r1", touching);
      await writeFile(scene.pathOf("r1", "checkout/written"), "");
      await built("r2", touching);
      expect(scene.log).to.include(FINISHED);
      expect(installs()).to.deep.equal([]);
      expect(await venvOf("r2")).to.equal(await venvOf("r1"));
      const files = await readdir(scene.pathOf("r2", "checkout"));
      expect(files).to.include("made.txt").and.not.include("written");
      for (const settings of [{}, { install_command: "ls" }, { build_command: "ls" }, touching]) {
        if (settings === touching) await scene.repository.commit({ "agent.py": "graph = 2\n" });
        await built("r3", settings);
        expect(scene.log).to.not.include(FINISHED);
      }
    });

    it("runs the install and the build command in the environment of the build", async () => {
      await built("r1", { install_command: "env", build_command: "env" });
      const venv = join(await buildOf("r1"), "venv");
      expect(scene.log.filter((line) => line === `VIRTUAL_ENV=${venv}`)).to.have.length(2);
      expect(scene.log).to.include(`PATH=${venv}/bin:${scene.bin}`);
    });

    it("keeps builds that revisions use, however many others there are", async () => {
      const revision = await built("r1");
      for (const version of [1, 2, 3, 4, 5, 6]) {
        await commit([`langgraph==${version}`]);
        await built("r2"); // again and again, so that only the last one is in use
      }
      const links = (await readdir(join(scene.dataDir, "cache"))).filter((name) => !/-/.test(name));
      expect(links).to.have.length(6);
      await scene.driver.deploy(scene.work(revision));
      expect(About.parse(await scene.get()).args[1]).to.contain("langgraph_cli");
    });

    it("starts the server in the configuration's folder, without its variables, names the address that others reach, and lets requests finish for 10 s", async () => {
      await commit(["."], {}, { env: { A: "config", B: "config" }, extra: 1 });
      const { url } = await scene.deployed("r1", { secrets: [{ name: "A", value: "variable" }] });
      const { args, cwd, env } = About.parse(await scene.get());
      expect(args.slice(2, 5)).to.deep.equal([url, "dev", "--no-browser"]);
      expect(cwd).to.equal(await realpath(scene.pathOf("r1", "checkout")));
      const venv = await venvOf("r1");
      expect(env).to.include({ A: "variable", B: "config", VIRTUAL_ENV: venv });
      expect(env["PATH"]).to.match(new RegExp(`^${venv}/bin:`));
      // It would lay variables there over the others.
      const given = JSON.parse(await readFile(scene.pathOf("r1", "langgraph.json"), "utf8"));
      expect(given).to.deep.include({ env: {}, extra: 1 });
      expect(scene.log).to.include(`API Docs: ${url}/docs`);
      expect(scene.log.join("\n")).not.to.contain("http://127.0.0.1:0");
      await scene.deployed("r2");
      expect(scene.log.join("\n")).to.match(/draining the old server: .* have 10 s to finish/);
    });

    it("starts a command line that a lock file has, which may not know `source` and ask for dependencies", async () => {
      const source = { kind: "uv", root: "." };
      const graphs = { agent: "./agent.py:graph" };
      await scene.repository.commit({ "langgraph.json": JSON.stringify({ graphs, source }) });
      await scene.deployed("r1");
      const given = JSON.parse(await readFile(scene.pathOf("r1", "langgraph.json"), "utf8"));
      expect(given).to.deep.equal({ graphs, dependencies: ["."], env: {} });
    });
  });
});
