import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { rejection } from "../../../support/rejection";
import { Scene } from "./scene";

const POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
const LOCK = { "app/uv.lock": "#".repeat(2 * 1024 ** 2) };
const AGENT = { graphs: { agent: "../src/agent.py:graph" } };

describe("a build, before anything is installed,", () => {
  const scene = new Scene({ "src/agent.py": "", "package.json": "{}" });
  beforeEach(async () => scene.start({ environment: await scene.link() }));

  /** Why a build fails: without Python and npm there is always a reason. */
  async function reason(changes: object = {}, files: Record<string, string> = {}) {
    const config = JSON.stringify({ dependencies: ["."], ...AGENT, ...changes });
    await scene.repository.commit({ "app/langgraph.json": config, ...files });
    const place = { repo_ref: "main", graph_config_path: "app/langgraph.json" };
    return (await rejection(scene.built("r1", { sourceRevisionConfig: place }))).message;
  }
  const graph = (path: string) => ({ graphs: { agent: path } });
  const needs = (dependency: string) => ({ dependencies: [dependency] });
  const uv = (root: string) => ({ source: { kind: "uv", root } });
  const submodule = (path: string) => ({
    ".gitmodules": `[submodule "x"]\n\tpath = ${path}\n\turl = https://git.example.com/x.git\n`,
  });
  const NO_PYTHON = /^Python graphs need Python 3.11 or newer/;
  const MISSING =
    /^"(auth|checkpointer|http\.app)" .*: file 'app\/x.py' not found in the repository;/;

  it("finds nothing wrong with what is there, a large lock file too, and with the name of a module; does not read a file of variables outside the repository, and says that a package's name is no folder's", async () => {
    for (const path of ["../src/agent.py:graph", "support.agent:graph"])
      expect(await reason(graph(path))).to.match(NO_PYTHON);
    const changes = { env: "../../.env", dependencies: [".", "lib", "lib>=1"] };
    expect(await reason(changes, { "app/lib/setup.py": "", ...LOCK })).to.match(NO_PYTHON);
    expect(scene.log).to.include('"env": "../../.env" is outside the repository and is not read');
    expect(scene.log.filter((line) => line.includes("write './lib' for"))).to.have.length(1);
  });

  for (const [what, changes, expected] of [
    ["graph is missing", graph("../no.py:graph"), /^graph 'agent' .*: file 'no.py' not found/],
    ["graph is not built", graph("./a.mjs:graph"), /a.mjs' not found .* build_command that /],
    ["graph is a folder", graph("../src:graph"), /^graph 'agent' .* not a file; name a file /],
    ["graph is outside", graph("../../agent.py:graph"), /^graph .* is outside the repository;/],
    ["dependency is missing", needs("./a"), /^dependency '.\/a'.*: folder 'app\/a' not/],
    ["dependency is outside", needs("../../a"), /^dependency .* is outside the /],
    ["project of uv is a file", uv("../src/agent.py"), /^"source.root" .* folder; name the /],
    ["file of auth is missing", { auth: { path: "./x.py:x" } }, MISSING],
    ["file of checkpointer is missing", { checkpointer: { path: "./x.py:x" } }, MISSING],
    ["file of http.app is missing", { http: { app: "./x.py:app" } }, MISSING],
    ["component is missing", { ui: { a: "./u.tsx" } }, /^"ui" 'a' .*: file 'app\/u.tsx' not found/],
  ] as const)
    it(`says that a ${what}, by its path in the repository`, async () => {
      expect(await reason(changes)).to.match(expected);
    });

  it("says that a file is a pointer of Git LFS, or in a submodule", async () => {
    const pointers = { "src/agent.py": POINTER, "café/agent.py": POINTER };
    const lfs = { ".gitattributes": "*.py filter=lfs\n", ...pointers };
    const ending = ", a submodule or a file of Git LFS, which are not fetched;";
    const pointed = await reason({}, { ...lfs, ...submodule("vendor/lib") });
    expect(pointed).to.contain(`graph 'agent' is in 'src/agent.py'${ending}`);
    const accented = await reason(graph("../café/agent.py:graph"));
    expect(accented).to.contain(`graph 'agent' is in 'café/agent.py'${ending}`);
    const vendored = await reason(graph("../vendor/lib/agent.py:graph"));
    expect(vendored).to.contain(`graph 'agent' is in 'vendor/lib'${ending}`);
  });

  it("names what is not fetched below what the configuration names", async () => {
    const data = { "src/data.json": POINTER, "other/data.json": POINTER };
    const lfs = { ".gitattributes": "data.json filter=lfs\n", ...data };
    await reason({}, { ...lfs, ...submodule("src/a vendor") });
    expect(scene.log.join("\n")).to.match(
      /Git LFS are not fetched: src\/a vendor, src\/data.json$/m,
    );
  });

  it("reads no file of a package manager that is a link out of the repository", async () => {
    await symlink("/dev/zero", join(scene.repository.folder, "pyproject.toml"));
    const refused = await reason({ dependencies: [".."] });
    expect(refused).to.match(/^pyproject.toml is a link that leads out of the repository;/);
  });

  it("keeps names with line breaks on one line of the log, and of the reason", async () => {
    const name = "agent\nthe server is ready";
    const graphs = { [name]: "../src/none.py:graph" };
    expect(await reason({ graphs, [name]: 1 })).to.match(/^graph 'agent the server is ready' in/);
    expect(scene.log).to.include.members([
      "graphs in app/langgraph.json: agent the server is ready",
      "graph configuration: unknown member 'agent the server is ready'",
    ]);
  });
});
