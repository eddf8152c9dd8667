import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { chooseRuntime } from "../../../../local/drivers/process/runtime";
import { rejection } from "../../../support/rejection";
import { aFolder, removeFolder } from "../../children";

const JAVASCRIPT = { agent: "./agent.mjs:graph" };
const PYTHON = { agent: "./agent.py:graph" };
const SERVER = { "@langchain/langgraph-api": "1.5.1" };

/** The content of a repository, and the server chosen for it. */
interface Case {
  readonly config: object;
  readonly packages?: Record<string, object>;
  readonly kind: string;
  readonly reason: string;
}

const CASES: Record<string, Case> = {
  "a JavaScript graph whose package depends on the server": {
    config: { graphs: JAVASCRIPT },
    packages: { "app/package.json": { dependencies: SERVER } },
    kind: "javascript",
    reason: "app/package.json depends on @langchain/langgraph-api",
  },
  "a TypeScript graph, the server being a development dependency at the root": {
    config: { graphs: { agent: { path: "./src/agent.ts:graph" } } },
    packages: {
      "package.json": { devDependencies: SERVER },
      "app/package.json": { dependencies: { zod: "4" } },
    },
    kind: "javascript",
    reason: "package.json depends on @langchain/langgraph-api",
  },
  "a JavaScript graph without a package": {
    config: { graphs: JAVASCRIPT },
    kind: "built-in",
    reason: "no package.json of the graphs depends on @langchain/langgraph-api",
  },
  "a package elsewhere in the repository": {
    config: { graphs: JAVASCRIPT },
    packages: { "other/package.json": { dependencies: SERVER } },
    kind: "built-in",
    reason: "no package.json of the graphs depends on @langchain/langgraph-api",
  },
  "graphs in two languages": {
    config: { graphs: { one: "./one.py:graph", two: "./two.ts:graph" }, dependencies: ["."] },
    packages: { "package.json": { dependencies: SERVER } },
    kind: "built-in",
    reason: "the graphs are in JavaScript and Python, and no server runs both",
  },
  "a Python graph": {
    config: { graphs: PYTHON, dependencies: ["."] },
    kind: "python",
    reason: "the graphs are in Python",
  },
  "a Python graph in a module": {
    config: { graphs: { agent: "support.agent:graph" }, dependencies: ["support"] },
    kind: "python",
    reason: "the graphs are in Python",
  },
  "a Python graph without dependencies, which the real server refuses": {
    config: { graphs: PYTHON },
    kind: "built-in",
    reason: 'the graph configuration has no "dependencies" for its Python graphs, such as ["."]',
  },
};

describe("chooseRuntime", () => {
  let checkout: string;
  beforeEach(async () => (checkout = await aFolder()));
  afterEach(() => removeFolder(checkout));

  for (const [what, { config, packages = {}, kind, reason }] of Object.entries(CASES))
    it(`of ${what} is ${kind}, and says why`, async () => {
      for (const [path, content] of Object.entries({ ...packages, "app/langgraph.json": config })) {
        await mkdir(dirname(join(checkout, path)), { recursive: true });
        await writeFile(join(checkout, path), JSON.stringify(content));
      }
      const chosen = await chooseRuntime(await readGraphConfig(checkout, "app/langgraph.json"));
      expect(chosen).to.include({ kind, reason });
    });

  it("reads no package.json that is a link out of the repository, as to a device that never ends", async () => {
    await writeFile(join(checkout, "langgraph.json"), JSON.stringify({ graphs: JAVASCRIPT }));
    await symlink("/dev/zero", join(checkout, "package.json"));
    const { message } = await rejection(
      readGraphConfig(checkout, "langgraph.json").then(chooseRuntime),
    );
    expect(message).to.equal(
      "package.json is a link that leads out of the repository; commit the file itself",
    );
  });

  it("leaves a broken package.json to the package manager of another", async () => {
    await writeFile(join(checkout, "langgraph.json"), JSON.stringify({ graphs: JAVASCRIPT }));
    await writeFile(join(checkout, "package.json"), "{");
    const chosen = await chooseRuntime(await readGraphConfig(checkout, "langgraph.json"));
    expect(chosen.kind).to.equal("built-in");
  });
});
