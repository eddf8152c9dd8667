import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
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

const SERVER = "langgraph-cli[inmem]==0.4.40 langgraph-api==0.16.7";
const PYPROJECT = '[project]\nname = "support"\n';

describe("processDriver with a Python graph", () => {
  let folder: string;
  let dataDir: string;
  let bin: string;
  let repository: Repository;
  let driver: Driver;
  let log: string[];

  beforeEach(async () => {
    folder = await aFolder();
    dataDir = join(folder, "data");
    bin = join(folder, "bin");
    repository = await makeRepository(join(folder, "repository"), {
      "langgraph.json": config(["langgraph==1.2.22"]),
      "agent.py": "graph = None\n",
    });
    await mkdir(dataDir);
    await mkdir(bin);
    for (const name of ["git", "sh", "grep", "cut", "sleep", "ls", "env"])
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
  const ownVenv = (id: string) => join(dataDir, "deployments/one/revisions", id, "venv");
  const FROM_CACHE = "using cached packages: an earlier build installed them from the same files";

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

    it("says to install the venv module when that is missing", async () => {
      await install("python3", { hasPip: false });
      expect(await reasonOf("r1")).to.equal(
        "python3 (Python 3.12.1) has no venv module; install it (python3-venv), or install uv",
      );
    });

    it("needs no venv module where there is uv", async () => {
      await install("python3", { hasPip: false });
      await install("uv");
      await built("r1");
      expect(log).to.include("using python3 (Python 3.12.1) and uv");
      expect(log).to.include(`uv install: ${SERVER} langgraph==1.2.22`);
    });
  });

  describe("with Python", () => {
    beforeEach(() => install("python3"));

    it("installs the server and the dependencies into an environment, and says so", async () => {
      await built("r1");
      expect(log).to.include("using the real Python server, because the graphs are in Python");
      expect(log).to.include("using python3 (Python 3.12.1) and pip");
      expect(log).to.include(`pip install: ${SERVER} langgraph==1.2.22`);
    });

    it("takes the Python that the configuration asks for", async () => {
      await repository.commit({ "langgraph.json": config(["."], { python_version: "3.13" }) });
      await built("r1");
      expect(log).to.include("using python3 (Python 3.12.1) and pip");
      await install("python3.13", { version: "3.13.2" });
      await built("r2");
      expect(log).to.include("using python3.13 (Python 3.13.2) and pip");
      expect(log).to.not.include(FROM_CACHE);
    });

    it("installs once for all commits with the same dependencies", async () => {
      await built("r1");
      await repository.commit({ "agent.py": "graph = 2\n" });
      await built("r2");
      expect(log).to.include(FROM_CACHE);
      await repository.commit({ "langgraph.json": config(["langgraph==1.2.21"]) });
      await built("r3");
      expect(log).to.include(`pip install: ${SERVER} langgraph==1.2.21`);
    });

    it("goes by the requirements file of a folder", async () => {
      await repository.commit({ "langgraph.json": config(["."]), "requirements.txt": "a==1\n" });
      await built("r1");
      const path = join(dataDir, "deployments/one/revisions/r1/checkout/requirements.txt");
      expect(log).to.include(`pip install: ${SERVER} -r ${path}`);
      await repository.commit({ "requirements.txt": "a==2\n" });
      await built("r2");
      expect(log).to.not.include(FROM_CACHE);
    });

    it("installs for every commit when that file names other files", async () => {
      await repository.commit({
        "langgraph.json": config(["."]),
        "requirements.txt": "-r more.txt\n",
      });
      await built("r1");
      await repository.commit({ "more.txt": "a==2\n" });
      await built("r2");
      expect(log).to.not.include(FROM_CACHE);
    });

    for (const [file, text, referred] of [
      ["setup.py", "from setuptools import setup\n", "requirements/prod.txt"],
      ["setup.cfg", "[options]\ninstall_requires = file: prod.txt\n", "prod.txt"],
      [
        "pyproject.toml",
        `${PYPROJECT}dynamic = [\n  "version",\n  "dependencies",\n]\n`,
        "prod.txt",
      ],
      ["pyproject.toml", `${PYPROJECT}[tool.uv.sources]\nlib = { path = "../x" }\n`, "x/lib.py"],
    ] as const)
      it(`installs for every commit when ${file} takes dependencies from ${referred}`, async () => {
        await repository.commit({ "langgraph.json": config(["."]), [file]: text });
        await built("r1");
        await repository.commit({ [referred]: "a==2\n" });
        await built("r2");
        expect(log).to.not.include(FROM_CACHE);
      });

    for (const [file, line] of [
      ["requirements.txt", "\n"],
      ["pyproject.toml", "\n"],
      ["pyproject.toml", "dynamic = [\n"],
      ["pyproject.toml", "{"],
    ] as const)
      it(`reads a ${file} of a million characters once: ${JSON.stringify(line)}`, async () => {
        const text = `${file === "pyproject.toml" ? PYPROJECT : ""}${line.repeat(1_000_000 / line.length)}`;
        await repository.commit({ "langgraph.json": config(["."]), [file]: text });
        await built("r1");
        await repository.commit({ "agent.py": "graph = 2\n" });
        await built("r2");
        expect(log).to.include(FROM_CACHE);
      });

    it("installs again when a lock file has changed, and not when only the version is computed", async () => {
      const dynamic = `${PYPROJECT}dynamic = ["version"]\n`;
      await repository.commit({ "langgraph.json": config(["."]), "pyproject.toml": dynamic });
      await built("r1");
      await repository.commit({ "agent.py": "graph = 2\n" });
      await built("r2");
      expect(log).to.include(FROM_CACHE);
      await repository.commit({ "uv.lock": "version = 2\n" });
      await built("r3");
      expect(log).to.not.include(FROM_CACHE);
    });

    it("shares the dependencies of the repository's own package, and not the package", async () => {
      await repository.commit({
        "langgraph.json": config(["./lib"]),
        "lib/pyproject.toml": PYPROJECT,
      });
      await built("r1");
      const lib = (id: string) => join(dataDir, "deployments/one/revisions", id, "checkout/lib");
      expect(log.filter((line) => line.startsWith("pip "))).to.deep.equal([
        `pip install: ${SERVER} -e ${lib("r1")}`,
        "pip uninstall: --yes support",
        `pip install: --no-deps -e ${lib("r1")}`,
      ]);
      await repository.commit({ "lib/support.py": "changed = True\n" });
      await built("r2");
      expect(log).to.include(FROM_CACHE);
      expect(log.filter((line) => line.startsWith("pip "))).to.deep.equal([
        `pip install: --no-deps -e ${lib("r2")}`,
      ]);
      expect(await readdir(ownVenv("r2"))).to.include("bin");
    });

    it("runs the install command in an environment of the revision's own", async () => {
      await built("r1", { install_command: "env" });
      expect(log).to.include(`VIRTUAL_ENV=${ownVenv("r1")}`);
      expect(log).to.include(`PATH=${ownVenv("r1")}/bin:${bin}`);
    });

    it("runs the build command in the environment of the server", async () => {
      await built("r1", { build_command: "env" });
      const record = await readFile(
        join(dataDir, "deployments/one/revisions/r1/runtime.json"),
        "utf8",
      );
      expect(log).to.include(`VIRTUAL_ENV=${JSON.parse(record).venv}`);
    });

    it("fails with the last lines of an install that fails, and keeps nothing of it", async () => {
      await repository.commit({ "langgraph.json": config(["broken"]) });
      expect(await reasonOf("r1")).to.match(
        / install .*langgraph-cli.* broken' exited with code 1: ERROR: no version of broken fits\n/,
      );
      expect(await readdir(join(dataDir, "cache"))).to.deep.equal([]);
    });

    it("keeps environments that revisions use, however many others there are", async () => {
      const revision = await built("r1");
      for (const version of [1, 2, 3, 4, 5, 6]) {
        await repository.commit({ "langgraph.json": config([`langgraph==${version}`]) });
        await built("r2"); // again and again, so that only the last one is in use
      }
      const links = (await readdir(join(dataDir, "cache"))).filter((name) => !name.includes("-"));
      expect(links).to.have.length(6);
      await driver.deploy({ revision, signal: new AbortController().signal, log: () => {} });
      expect(await (await fetch(await driver.origin("one"))).text()).to.contain("langgraph_cli");
    });

    it("keeps the environment of a build that still installs, however many others there are", async () => {
      const gate = join(folder, "gate");
      await repository.commit({ "wait.sh": `while ! ls ${gate}; do sleep 0.05; done` });
      const building = built("r1", { install_command: "sh wait.sh" });
      const slow = log;
      await until("the command", () => slow.includes("$ sh wait.sh"));
      for (const version of [1, 2, 3, 4, 5]) {
        await repository.commit({ "langgraph.json": config([`langgraph==${version}`]) });
        await built("r2");
      }
      await writeFile(gate, "");
      await building;
      const record = join(dataDir, "deployments/one/revisions/r1/runtime.json");
      const { cache } = JSON.parse(await readFile(record, "utf8"));
      expect(await readdir(join(dataDir, "cache"))).to.include(cache);
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

    for (const [what, dependency, reason] of [
      [
        "lies outside",
        "../lib",
        "dependency '../lib' in the graph configuration is outside the repository; use a folder",
      ],
      [
        "is not there",
        "./lib",
        "dependency './lib' in the graph configuration not found in the repository (ENOENT)",
      ],
    ] as const)
      it(`fails when a folder of the dependencies ${what}`, async () => {
        await repository.commit({ "langgraph.json": config([dependency]) });
        expect(await reasonOf("r1")).to.contain(reason);
      });
  });
});
