import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { processDriver } from "../../../../local/drivers/process";
import { rejection } from "../../../support/rejection";
import { aFolder, removeFolder } from "../../children";
import { makeRepository, type Repository } from "../../repository";
import { which } from "../../which";
import { aRevision } from "./servers/scripted";

const CONFIG = { graphs: { agent: "./src/agent.py:graph" }, dependencies: ["."] };
const POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";

describe("a build, before anything is installed,", () => {
  let folder: string;
  let repository: Repository;
  let log: string[];

  beforeEach(async () => {
    folder = await aFolder();
    repository = await makeRepository(join(folder, "repository"), { "src/agent.py": "" });
    await mkdir(join(folder, "data"));
    await mkdir(join(folder, "bin"));
    for (const name of ["git", "sh", "grep", "cut", "sleep"])
      await symlink(await which(name), join(folder, "bin", name));
    log = [];
  });
  afterEach(() => removeFolder(folder));

  /** Why a build fails: without Python and npm there is always a reason. */
  async function reason(changes: object = {}, files: Record<string, string> = {}) {
    const config = JSON.stringify({ ...CONFIG, ...changes });
    const repo_commit_sha = await repository.commit({ "app/langgraph.json": config, ...files });
    const driver = processDriver({
      dataDir: join(folder, "data"),
      maxServers: 1,
      environment: { PATH: join(folder, "bin") },
    });
    const revision = aRevision("r1", "one", {
      source: "git_host",
      sourceConfig: { repo_url: repository.url },
      sourceRevisionConfig: {
        repo_ref: "main",
        graph_config_path: "app/langgraph.json",
        repo_commit_sha,
      },
    });
    const work = {
      revision,
      signal: new AbortController().signal,
      log: (line: string) => log.push(line),
    };
    const { message } = await rejection(driver.build(work));
    await driver.close();
    return message;
  }
  const graph = (path: string) => ({ graphs: { agent: path } });
  const NO_PYTHON = /^Python graphs need Python 3.11 or newer/;

  it("finds nothing wrong with what is there, and with the name of a module", async () => {
    for (const path of ["../src/agent.py:graph", "support.agent:graph"])
      expect(await reason(graph(path))).to.match(NO_PYTHON);
  });

  for (const [what, changes, expected] of [
    [
      "a graph's file is missing",
      graph("../src/none.py:graph"),
      "graph 'agent' in the graph configuration: file 'src/none.py' not found in the repository; add it, or correct the path",
    ],
    [
      "a graph is a folder",
      graph("../src:graph"),
      "graph 'agent' in the graph configuration: 'src' is not a file",
    ],
    [
      "a graph is outside the repository",
      graph("../../agent.py:graph"),
      "graph 'agent' in the graph configuration is outside the repository; set a path inside it",
    ],
    [
      "a dependency is missing",
      { ...graph("../src/agent.py:graph"), dependencies: ["./lib"] },
      "dependency './lib' in the graph configuration: folder 'app/lib' not found in the repository; add it, or correct the path",
    ],
    [
      "a dependency is outside the repository",
      { ...graph("../src/agent.py:graph"), dependencies: ["../../lib"] },
      "dependency '../../lib' in the graph configuration is outside the repository; set a path inside it",
    ],
    [
      "the project of uv is a file",
      { ...graph("../src/agent.py:graph"), source: { kind: "uv", root: "../src/agent.py" } },
      "\"source.root\" in the graph configuration: 'src/agent.py' is not a folder",
    ],
    ...(["auth", "checkpointer"] as const).map(
      (name) =>
        [
          `the file of ${name} is missing`,
          { ...graph("../src/agent.py:graph"), [name]: { path: "./x.py:x" } },
          `"${name}" in the graph configuration: file 'app/x.py' not found in the repository; add it, or correct the path`,
        ] as const,
    ),
    [
      "the file of http.app is missing",
      { ...graph("../src/agent.py:graph"), http: { app: "./x.py:app" } },
      "\"http.app\" in the graph configuration: file 'app/x.py' not found in the repository; add it, or correct the path",
    ],
    [
      "a component of the interface is missing",
      { ...graph("../src/agent.py:graph"), ui: { agent: "./ui.tsx" } },
      "\"ui\" 'agent' in the graph configuration: file 'app/ui.tsx' not found in the repository; add it, or correct the path",
    ],
  ] as const)
    it(`says that ${what}, by its path in the repository`, async () => {
      expect(await reason(changes)).to.equal(expected);
    });

  it("says that a file is a pointer of Git LFS, or in a submodule", async () => {
    const files = {
      ".gitattributes": "*.py filter=lfs\n",
      "src/agent.py": POINTER,
      ".gitmodules":
        '[submodule "vendor"]\n\tpath = vendor/lib\n\turl = https://git.example.com/lib.git\n',
    };
    const ending = ", a submodule or a file of Git LFS, which are not fetched; commit its content";
    expect(await reason(graph("../src/agent.py:graph"), files)).to.equal(
      `graph 'agent' is in 'src/agent.py'${ending}`,
    );
    expect(await reason(graph("../vendor/lib/agent.py:graph"))).to.equal(
      `graph 'agent' is in 'vendor/lib'${ending}`,
    );
  });

  it("names what is not fetched below what the configuration names", async () => {
    const files = {
      ".gitattributes": "data.json filter=lfs\n",
      "src/data.json": POINTER,
      "other/data.json": POINTER,
      ".gitmodules":
        '[submodule "x"]\n\tpath = src/vendor\n\turl = https://git.example.com/x.git\n',
    };
    await reason(graph("../src/agent.py:graph"), files);
    expect(log).to.include(
      "submodules and files of Git LFS are not fetched: src/vendor, src/data.json",
    );
  });

  it("reads no file of a package manager that is a link out of the repository", async () => {
    await symlink("/dev/zero", join(repository.folder, "pyproject.toml"));
    expect(await reason({ ...graph("../src/agent.py:graph"), dependencies: [".."] })).to.equal(
      "pyproject.toml is a link that leads out of the repository; commit the file itself",
    );
  });

  it("keeps names with line breaks on one line of the log, and of the reason", async () => {
    const name = "agent\nthe server is ready";
    const graphs = { [name]: "../src/none.py:graph" };
    expect(await reason({ graphs, [name]: 1 })).to.match(/^graph 'agent the server is ready' in/);
    expect(log).to.include.members([
      "graphs in app/langgraph.json: agent the server is ready",
      "graph configuration: unknown member 'agent the server is ready'",
    ]);
  });

  it("says that a file of variables outside the repository is not read", async () => {
    expect(await reason({ ...graph("../src/agent.py:graph"), env: "../../.env" })).to.match(
      NO_PYTHON,
    );
    expect(log).to.include('"env": "../../.env" is outside the repository and is not read');
  });
});
