import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect } from "chai";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { findInstalls, resolveServer } from "../../../../local/drivers/process/javascript/package";
import { detectInstall } from "../../../../local/drivers/process/javascript/package-manager";
import { chooseRuntime } from "../../../../local/drivers/process/runtime";
import { reasonOf, rejection } from "../../../support/rejection";
import { useFolder } from "../../children";

const DEPENDENCIES = { dependencies: { zod: "4" } };

describe("the server of a graph configuration", () => {
  const checkout = useFolder();

  async function configured(graphs: object, files: Record<string, object> = {}) {
    const path = "app/langgraph.json";
    for (const [name, content] of Object.entries({ ...files, [path]: { graphs } })) {
      await mkdir(dirname(checkout(name)), { recursive: true });
      await writeFile(checkout(name), JSON.stringify(content));
    }
    return readGraphConfig(checkout(), path);
  }

  for (const [path, kind] of [
    ["./agent.mjs:graph", "javascript"],
    ["./src/agent.tsx:graph", "javascript"],
    ["./agent.py:graph", "python"],
    ["support.agent:graph", "python"],
  ] as const)
    it(`of ${path} is the ${kind} one`, async () => {
      for (const graph of [path, { path, description: "x" }])
        expect(chooseRuntime(await configured({ agent: graph }))).to.equal(kind);
    });

  it("is none for graphs in two languages, for a reason that names those in JavaScript, nor that of a project around the repository", async () => {
    const config = await configured({ one: "./one.py:graph", two: "./two.ts:graph" });
    expect(() => chooseRuntime(config)).to.throw(/'two' are in JavaScript and the others/);
    const server = "node_modules/@langchain/langgraph-api";
    await configured({ agent: "./agent.mjs:graph" }, { [`${server}/package.json`]: {} });
    const app = checkout("app");
    expect(resolveServer(app, checkout())).to.equal(checkout(server, "dist/server.mjs"));
    expect(resolveServer(app, app)).to.equal(undefined);
  });

  const placesOf = async (packages: Record<string, object>) => {
    const files = { ...packages, "apps/agents/src/x.ts": {} };
    const config = await configured({ agent: "../apps/agents/src/x.ts:graph" }, files);
    return (await findInstalls(config)).map(({ packageFolder, folder, command }) =>
      [packageFolder, folder, command].map((one) => one.replace(checkout(), ".")),
    );
  };

  it("is installed with the packages nearest above each graph's own file, from the root of their workspace", async () => {
    const files = {
      "package.json": DEPENDENCIES,
      "apps/agents/package.json": DEPENDENCIES,
      "apps/agents/src/package.json": { type: "module" },
      "app/package.json": DEPENDENCIES,
    };
    const place = ["./apps/agents", "./apps/agents", "npm i"];
    expect(await placesOf(files)).to.deep.equal([place]);
    expect(await placesOf({ ...files, "package-lock.json": {} })).to.deep.equal([place]);
    const root = { "package.json": { workspaces: ["apps/*"] }, "package-lock.json": {} };
    const inWorkspace = await placesOf({ "apps/agents/package.json": DEPENDENCIES, ...root });
    expect(inWorkspace).to.deep.equal([["./apps/agents", ".", "npm ci"]]);
  });

  it("is not installed without a package, nor with one that is a link out of the repository, as to a device that never ends", async () => {
    const { message } = await rejection(placesOf({}));
    expect(message).to.match(/no package.json beside apps\/agents\/src\/x.ts .*; add one/);
    await symlink("/dev/zero", checkout("package.json"));
    expect(await reasonOf(placesOf({}))).to.contain("a link that leads out of");
  });
});

describe("local/drivers/process/package-manager the install of a folder", () => {
  const cases: [files: string[], command: string, lockFile: string | undefined][] = [
    [["package.json", "pnpm-lock.yaml"], "pnpm i --frozen-lockfile", "pnpm-lock.yaml"],
    [["package.json", "bun.lockb"], "bun i", "bun.lockb"],
    [["package-lock.json", "yarn.lock"], "yarn install", "yarn.lock"],
    [["bun.lockb", "package-lock.json"], "npm ci", "package-lock.json"],
  ];
  it("without a lock file is that of the package manager that its package names", () => {
    for (const name of ["pnpm", "yarn", "bun", "npm"]) {
      const command = name === "yarn" ? "yarn install" : `${name} i`;
      const devEngines = { packageManager: { name, version: "4.x" } };
      for (const content of [{ packageManager: `${name}@4.0.0` }, { devEngines }])
        expect(detectInstall(["package.json"], content)).to.deep.equal({
          command,
          lockFile: undefined,
        });
    }
  });

  for (const [files, command, lockFile] of cases)
    it(`with ${files.join(" and ")} is ${command}`, () => {
      expect(detectInstall(files)).to.deep.equal({ command, lockFile });
    });
});
