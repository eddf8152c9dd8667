import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Driver, Revision } from "../../../../local/drivers/driver";
import { processDriver } from "../../../../local/drivers/process";
import { rejection } from "../../../support/rejection";
import { standingClock } from "../../../support/clock";
import { aFolder, processesWith, removeFolder, until } from "../../children";
import { makeRepository, type Repository } from "../../repository";
import { aRevision } from "./servers/scripted";
import { which } from "../../which";
import { writePython, type PythonSettings } from "./scripted-python";

const SERVER = "langgraph-cli[inmem]>=0.3,<=0.4.40 langgraph-api>=0.4,<=0.16.7";
const PYPROJECT = '[project]\nname = "support"\n';
const FINISHED = "using a finished build: an earlier revision has the same commit and settings";

describe("processDriver with a Python graph", () => {
  let folder: string;
  let dataDir: string;
  let bin: string;
  let repository: Repository;
  let driver: Driver;
  let log: string[];

  beforeEach(async () => {
    folder = await realpath(await aFolder());
    dataDir = join(folder, "data");
    bin = join(folder, "bin");
    repository = await makeRepository(join(folder, "repository"), {
      "langgraph.json": config(["langgraph==1.2.22"]),
      "agent.py": "graph = None\n",
    });
    await mkdir(dataDir);
    await mkdir(bin);
    for (const name of ["git", "sh", "grep", "cut", "sleep", "ls", "env", "cp", "touch"])
      await symlink(await which(name), join(bin, name));
    driver = processDriver({
      dataDir,
      maxServers: 3,
      clock: standingClock(),
      environment: { PATH: bin },
    });
  });
  afterEach(async () => {
    await driver.close();
    expect(await processesWith(dataDir), "processes left").to.deep.equal([]);
    await removeFolder(folder);
  });

  const config = (dependencies: string[], more: object = {}) =>
    JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies, ...more });
  const install = (name: string, settings?: PythonSettings) =>
    writePython(join(bin, name), settings);
  const commit = (dependencies: string[], files: Record<string, string> = {}, more: object = {}) =>
    repository.commit({ "langgraph.json": config(dependencies, more), ...files });

  /** Builds the newest commit. */
  async function built(id: string, sourceConfig: Revision["sourceConfig"] = {}) {
    const lines: string[] = (log = []);
    const work = { signal: new AbortController().signal, log: (line: string) => lines.push(line) };
    const where = { repo_ref: "main", graph_config_path: "langgraph.json" };
    const revision = aRevision(id, "one", {
      source: "git_host",
      sourceConfig: { repo_url: repository.url, ...sourceConfig },
      sourceRevisionConfig: where,
    });
    const { repoCommitSha } = await driver.create({ revision, ...work });
    const found = {
      ...revision,
      sourceRevisionConfig: { ...where, repo_commit_sha: repoCommitSha },
    };
    await driver.build({ revision: found, ...work });
    return found;
  }
  const reasonOf = async (id: string) => (await rejection(built(id))).message;
  const revisionFile = (id: string, name: string) =>
    join(dataDir, "deployments/one/revisions", id, name);
  const record = async (id: string) =>
    JSON.parse(await readFile(revisionFile(id, "runtime.json"), "utf8"));
  /** The folder of a revision's build. */
  const buildOf = async (id: string) => realpath(join((await record(id)).venv, ".."));
  const installs = () => log.filter((line) => / install in /.test(line));

  describe("without what it needs", () => {
    it("says to install Python when there is none", async () => {
      expect(await reasonOf("r1")).to.equal(
        "Python graphs need Python 3.11 or newer, but there is none on PATH; install python3 with its venv module",
      );
    });

    it("names those that are too old", async () => {
      await install("python3", { version: "3.9.2" });
      expect(await reasonOf("r1")).to.contain("on PATH (python3 is 3.9.2); install");
    });

    it("says to install the venv module when that is missing, and needs none where there is uv", async () => {
      await install("python3", { hasPip: false });
      expect(await reasonOf("r1")).to.equal(
        `${bin}/python3 (Python 3.12.1) has no venv module; install it (python3-venv), or install uv`,
      );
      await install("uv");
      await built("r1");
      expect(installs()).to.deep.equal([
        "uv install in /: langgraph-cli==0.4.40",
        `uv install in /: ${SERVER} langgraph==1.2.22`,
      ]);
    });
  });

  it("installs uv once where there is none, which takes packages from where pip does", async () => {
    await install("python3", { hasUv: true });
    await built("r1");
    expect(installs()).to.deep.equal([
      "pip install in /: uv==0.13.9 langgraph-cli==0.4.40",
      `uv install in / from https://packages.example.com/simple: ${SERVER} langgraph==1.2.22`,
    ]);
    await commit(["other"]);
    await built("r2");
    expect(installs()).to.have.length(1);
  });

  describe("with Python and no uv", () => {
    beforeEach(() => install("python3"));

    it("installs the server and the requirements into an environment, and says so", async () => {
      await built("r1");
      expect(log).to.include("using the real Python server");
      expect(log).to.include(`using ${bin}/python3 (Python 3.12.1)`);
      expect(installs()).to.deep.equal([
        "pip install in /: uv==0.13.9 langgraph-cli==0.4.40",
        "pip install in /: langgraph-cli==0.4.40",
        `pip install in /: ${SERVER} langgraph==1.2.22`,
      ]);
      expect(log).to.include("uv cannot be installed; using pip, which takes longer");
    });

    it("uses the Python that the configuration asks for, by its path, or names the one that replaces it", async () => {
      await commit(["."], {}, { python_version: "3.13-slim" });
      await built("r1");
      expect(log).to.include("python_version 3.13 is not installed; 3.12.1 replaces it");
      await install("python3.13", { version: "3.13.2" });
      await built("r2");
      expect(log).to.include(`using ${bin}/python3.13 (Python 3.13.2)`);
      expect(log).to.not.include(FINISHED);
    });

    it("does not take another Python for the one that is asked for, whatever its name", async () => {
      await commit(["."], {}, { python_version: "3.13" });
      await install("python3.13", { version: "3.11.4" });
      await built("r1");
      expect(log).to.include("python_version 3.13 is not installed; 3.11.4 replaces it");
    });

    it("uses one of pyenv that is installed, whichever is selected", async () => {
      const real = join(folder, "versions/3.13/python");
      await writePython(real, { version: "3.13.0" });
      const shim = `#!/bin/sh\n[ "$PYENV_VERSION" = 3.13 ] && exec ${real} "$@"\nexit 127\n`;
      await writeFile(join(bin, "python3.13"), shim, { mode: 0o755 });
      await commit(["."], {}, { python_version: "3.13" });
      await built("r1");
      expect(log).to.include(`using ${real} (Python 3.13.0)`);
    });

    it("uses the interpreter itself, not a program on PATH that chooses one by the folder", async () => {
      const real = join(folder, "versions/3.12/python");
      await writePython(real);
      await rm(join(bin, "python3"));
      await writeFile(
        join(bin, "python3"),
        `#!/bin/sh\nls .python-version && exit 1\nexec ${real} "$@"\n`,
        { mode: 0o755 },
      );
      await commit(["."], { ".python-version": "3.10.13\n" });
      await built("r1");
      expect(log).to.include(`using ${real} (Python 3.12.1)`);
      expect(log).to.include(`$ python -m venv ${await buildOf("r1")}/venv`);
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
      expect(await reasonOf("r1")).to.equal(
        "graph configuration 'langgraph.json' is not valid: No dependencies found in langgraph.json",
      );
      expect(installs()).to.have.length(2); // of the public tool
    });

    for (const [version, range] of [
      ["0.12.6", "==0.12.6"],
      ["0.12", "==0.12.*"],
      ["~=0.11.2", "~=0.11.2"],
      [">~=0.11.2", ">=0.11.2"],
    ] as const)
      it(`installs the server of api_version ${version}`, async () => {
        await commit(["a"], {}, { api_version: version });
        await built("r1");
        expect(log.join("\n")).to.contain(`<=0.4.40 langgraph-api${range} a`);
      });

    it("says in a sentence that the server does not fit the packages, and whose choice it was", async () => {
      await commit(["misfit"]);
      expect(await reasonOf("r1"))
        .to.match(
          /^no langgraph-api from 0.4 to 0.16.7, the agent server of this platform, fits the repository's packages; change them, or set api_version\n/,
        )
        .and.match(/\nmisfit depends on langgraph-api<0.3\n/);
      await commit(["misfit"], {}, { api_version: "0.12" });
      expect(await reasonOf("r2")).to.match(
        /^api_version 0.12 asks for langgraph-api==0.12.\*, which does not exist or does not fit the repository's packages; set another one, or none for 0.16.7\n/,
      );
    });

    it("uses a finished build for every revision of the same commit and settings", async () => {
      await built("r1", { build_command: "touch made.txt" });
      await built("r2", { build_command: "touch made.txt" });
      expect(log).to.include(FINISHED);
      expect(installs()).to.deep.equal([]);
      expect((await record("r2")).venv).to.equal((await record("r1")).venv);
      expect(await readdir(revisionFile("r2", "checkout"))).to.include("made.txt");
      for (const settings of [{}, { install_command: "ls" }, { build_command: "ls" }]) {
        await built("r3", settings);
        expect(log).to.not.include(FINISHED);
      }
      await repository.commit({ "agent.py": "graph = 2\n" });
      await built("r4", { build_command: "touch made.txt" });
      expect(log).to.not.include(FINISHED);
    });

    it("keeps what a revision's server writes out of other revisions", async () => {
      await built("r1");
      await writeFile(revisionFile("r1", "checkout/written"), "");
      await built("r2");
      expect(await readdir(revisionFile("r2", "checkout"))).to.not.include("written");
    });

    it("runs the install and the build command in the environment of the build", async () => {
      await built("r1", { install_command: "env", build_command: "env" });
      const venv = join(await buildOf("r1"), "venv");
      expect(log.filter((line) => line === `VIRTUAL_ENV=${venv}`)).to.have.length(2);
      expect(log).to.include(`PATH=${venv}/bin:${bin}`);
    });

    it("fails with the last lines of an install that fails, and keeps nothing of it", async () => {
      await built("r1");
      const before = await readdir(join(dataDir, "cache"));
      await commit(["broken"]);
      expect(await reasonOf("r2")).to.match(
        / install .*langgraph-cli.* broken' exited with code 1: ERROR: no version of broken fits\n/,
      );
      expect(await readdir(join(dataDir, "cache"))).to.deep.equal(before);
    });

    it("keeps builds that revisions use, however many others there are", async () => {
      const revision = await built("r1");
      for (const version of [1, 2, 3, 4, 5, 6]) {
        await commit([`langgraph==${version}`]);
        await built("r2"); // again and again, so that only the last one is in use
      }
      const links = (await readdir(join(dataDir, "cache"))).filter((name) => !name.includes("-"));
      expect(links).to.have.length(6);
      await driver.deploy({ revision, signal: new AbortController().signal, log: () => {} });
      expect(await (await fetch(await driver.origin("one"))).text()).to.contain("langgraph_cli");
    });

    it("keeps the build that still runs, however many others there are", async () => {
      const gate = join(folder, "gate");
      await repository.commit({ "wait.sh": `while ! ls ${gate}; do sleep 0.05; done` });
      const building = built("r1", { install_command: "sh wait.sh" });
      const slow = log;
      await until("the command", () => slow.includes("$ sh wait.sh"));
      for (const version of [1, 2, 3, 4, 5]) {
        await commit([`langgraph==${version}`]);
        await built("r2");
      }
      await writeFile(gate, "");
      await building;
      expect(await readdir(join(dataDir, "cache"))).to.include.members((await record("r1")).caches);
    });

    it("says in its log where others reach its server, not on which port of this machine", async () => {
      const revision = await built("r1");
      const { signal } = new AbortController();
      await driver.deploy({ revision, signal, log: (line) => log.push(line) });
      expect(log).to.include(`API Docs: ${revision.url}/docs`);
      expect(log.join("\n")).not.to.contain("http://127.0.0.1:0");
    });

    it("gives requests 10 s to finish before the next revision serves", async () => {
      for (const id of ["r1", "r2"]) {
        const revision = await built(id);
        const { signal } = new AbortController();
        await driver.deploy({ revision, signal, log: (line) => log.push(line) });
      }
      expect(log).to.include(
        "draining the old server: new requests wait, running ones have 10 s to finish",
      );
    });
  });
});
