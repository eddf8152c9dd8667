import { configured, type Case } from "./case";

/** A graph whose answer is an expression. */
const graph = (imports = "", answer = "'ok'") => `${imports}
from typing import TypedDict
from langgraph.graph import START, StateGraph

class State(TypedDict):
    text: str

def node(state):
    return {"text": ${answer}}

builder = StateGraph(State)
builder.add_node("node", node)
builder.add_edge(START, "node")
graph = builder.compile()
`;
const WORD = graph("from shared import WORD", "WORD");
const VERSION = graph("import importlib.metadata as m", "m.version('langgraph-api')");

const SETUPTOOLS = `
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"
`;
const project = (name: string, dependencies: string[] = [], more = "") => `[project]
name = "${name}"
version = "0.1"
requires-python = ">=3.11"
dependencies = ${JSON.stringify(dependencies)}
${SETUPTOOLS}${more}`;
/** An application whose modules lie beside its pyproject.toml. */
const FLAT = "[tool.setuptools]\npy-modules = []\n";
const APP = configured("./agent.py:graph", { dependencies: ["."] });
const NEEDS = { "requirements.txt": "langgraph\n" };
/** A package of the repository, and its word. */
const shared = (folder: string) => ({
  [`${folder}/pyproject.toml`]: project("shared"),
  [`${folder}/src/shared/__init__.py`]: "WORD = 'from shared'\n",
});
const LOCK = 'version = 1\nrevision = 2\nrequires-python = ">=3.11"\n';
const locked = (name: string, source: string, more = "") =>
  `\n[[package]]\nname = "${name}"\nversion = "0.1"\nsource = { ${source} }\n${more}`;

const PACKAGES: readonly Case[] = [
  {
    what: "a folder with modules and a requirements.txt",
    files: { "langgraph.json": APP, ...NEEDS, "agent.py": VERSION },
    answer: "0.16.7",
  },
  {
    what: "a workspace of uv, whose graph imports another member",
    tier: "long",
    files: {
      "langgraph.json": APP,
      "pyproject.toml": project(
        "app",
        ["langgraph", "shared"],
        `${FLAT}[tool.uv.workspace]\nmembers = ["libs/*"]\n[tool.uv.sources]\nshared = { workspace = true }\n`,
      ),
      "agent.py": WORD,
      ...shared("libs/shared"),
    },
    answer: "from shared",
  },
  {
    what: "an application of uv: a pyproject.toml without a build-system, beside two modules",
    tier: "long",
    files: {
      "langgraph.json": APP,
      "pyproject.toml": '[project]\nname = "app"\nversion = "0.1"\ndependencies = ["langgraph"]\n',
      "agent.py": graph("from words import WORD", "WORD"),
      "words.py": "WORD = 'beside it'\n",
    },
    answer: "beside it",
    log: /^pyproject\.toml has no build-system/,
  },
  {
    what: "an editable package beside the folder of a requirements file",
    tier: "long",
    files: {
      "langgraph.json": configured("./backend/agent.py:graph", { dependencies: ["./backend"] }),
      "backend/requirements.txt": "-e ../libs/shared\nlanggraph\n",
      "backend/agent.py": WORD,
      ...shared("libs/shared"),
    },
    answer: "from shared",
  },
  {
    what: "spaces in the paths of folders, and a dependency outside that of the configuration",
    config: "my agents/one/langgraph.json",
    files: {
      "my agents/one/langgraph.json": configured("./agent.py:graph", {
        dependencies: [".", "../shared lib"],
      }),
      "my agents/one/requirements.txt": "langgraph\n",
      "my agents/one/agent.py": WORD,
      ...shared("my agents/shared lib"),
    },
    answer: "from shared",
  },
  {
    what: "a folder with an __init__.py, which is imported by its own name",
    tier: "long",
    files: {
      "langgraph.json": configured("./agent.py:graph", { dependencies: [".", "./libs/common"] }),
      ...NEEDS,
      "agent.py": graph("from common import WORD", "WORD"),
      "libs/common/__init__.py": "WORD = 'from common'\n",
    },
    answer: "from common",
  },
  {
    what: "a locked workspace of uv",
    tier: "long",
    config: "apps/agent/langgraph.json",
    files: {
      "apps/agent/langgraph.json": configured("./src/agent/graph.py:graph", {
        source: { kind: "uv", root: "../.." },
      }),
      "pyproject.toml":
        '[project]\nname = "root"\nversion = "0.1"\nrequires-python = ">=3.11"\n[tool.uv.workspace]\nmembers = ["apps/*", "libs/*"]\n[tool.uv]\npackage = false\n',
      "uv.lock":
        `${LOCK}\n[manifest]\nmembers = ["agent", "root", "shared"]\n` +
        locked(
          "agent",
          'editable = "apps/agent"',
          'dependencies = [\n    { name = "shared" },\n]\n\n[package.metadata]\nrequires-dist = [{ name = "shared", editable = "libs/shared" }]\n',
        ) +
        locked("root", 'virtual = "."') +
        locked("shared", 'editable = "libs/shared"'),
      "apps/agent/pyproject.toml": project(
        "agent",
        ["shared"],
        "[tool.uv.sources]\nshared = { workspace = true }\n",
      ),
      "apps/agent/src/agent/__init__.py": "",
      "apps/agent/src/agent/graph.py": WORD,
      ...shared("libs/shared"),
    },
    answer: "from shared",
  },
];

const CONSTRAINED = project(
  "app",
  ["langgraph"],
  `${FLAT}[tool.uv]\nconstraint-dependencies = ["langgraph-api>=0.12.6,<0.13"]\n`,
);

const SETTINGS: readonly Case[] = [
  {
    what: "api_version",
    tier: "long",
    files: {
      "langgraph.json": { ...APP, api_version: "0.12.6" },
      "pyproject.toml": CONSTRAINED,
      "agent.py": VERSION,
    },
    answer: "0.12.6",
  },
  {
    what: "constraints of uv on the server",
    files: { "langgraph.json": APP, "pyproject.toml": CONSTRAINED, "agent.py": VERSION },
    answer: /^0\.12\.\d+$/,
  },
  {
    what: "a requirements.txt beside pyproject.toml, which contradicts it and is not read",
    files: {
      "langgraph.json": APP,
      "pyproject.toml": project("app", ["langgraph>=0.6"], FLAT),
      "requirements.txt": "langgraph==0.2.60\n",
      "agent.py": graph(),
    },
    answer: "ok",
    log: /^requirements\.txt is not read, since the folder has a pyproject\.toml or setup\.py$/,
  },
  {
    what: "a .env with a byte order mark, a hash, an expansion and Windows lines",
    tier: "long",
    files: {
      "langgraph.json": { ...APP, env: ".env" },
      ".env": "\uFEFFA=abc#def\r\nB=${A}/v1\r\nexport C='x y'\r\n",
      ...NEEDS,
      "agent.py": graph("import os", "' '.join(os.environ[n] for n in 'ABC')"),
    },
    answer: "abc#def abc#def/v1 x y",
  },
];

/** Repositories that are refused, most of them in words of the public tool. */
const REFUSED: readonly Case[] = [
  {
    what: "a graph that no dependency contains",
    tier: "long",
    files: {
      "langgraph.json": configured("./agent.py:graph", { dependencies: ["langgraph"] }),
      "agent.py": graph(),
    },
    refusal: /is not valid: Module '\.\/agent\.py:graph' not found in 'dependencies' list/,
  },
  {
    what: "requirements that no server fits",
    files: {
      "langgraph.json": APP,
      "requirements.txt": "langgraph==0.2.60\n",
      "agent.py": graph(),
    },
    refusal: /^no langgraph-api from 0\.4\.7 to 0\.16\.7, .* fits the repository's packages/,
  },
];

export const PYTHON_CASES: readonly Case[] = [...PACKAGES, ...SETTINGS, ...REFUSED];
