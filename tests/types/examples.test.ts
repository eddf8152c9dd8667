import { runInThisContext } from "node:vm";
import { runtime } from "@pulumi/pulumi";
import { expect } from "chai";
import ts from "typescript";
import { examples } from "./sources";

const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };

/** Runs a program of Pulumi. What it exports, or returns where it exports a function; its outputs as their values. */
async function run(source: string): Promise<unknown> {
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  const module = { exports: {} };
  const body = `(function (require, module, exports) { ${outputText} })`;
  runInThisContext(body)(require, module, module.exports);
  const { exports } = module;
  const outputs: unknown = typeof exports === "function" ? await exports() : exports;
  return runtime.serializeProperty("", outputs);
}

/** The result of every function: members of each kind. */
const FOUND = {
  id: "id-1",
  url: "https://one.example.com",
  status: "BUILD_FAILED",
  sourceRevisionConfig: { repoRef: "main" },
  activeRevisionId: "revision-1",
  computeConfig: { k8sNamespaces: ["agents"] },
  repoCommitSha: "commit-1",
  providerId: "tracker",
  clientId: "client-1",
  assistantId: "assistant-1",
  name: "German",
  version: 3,
  context: { prompt: "Antworte kurz." },
  contextSchema: { type: "object" },
  threadId: "thread-1",
  checkpointId: "checkpoint-1",
  values: { messages: [] },
  metadata: { step: 1 },
};

describe("an @example, run with mocks", () => {
  before(async () => {
    await runtime.setMocks({
      newResource: ({ name, inputs }) => {
        const url = `https://${name}.example.com`;
        return { id: `id-of-${name}`, state: { ...inputs, url, threadId: "thread-1", version: 1 } };
      },
      call: ({ token }) =>
        /:(list|search|getThreadHistory)/.test(token) ? [{ ...FOUND }] : { ...FOUND },
    });
    const required = Object.values(examples()).flatMap((source) =>
      [...source.matchAll(/\brequire(?:Secret)?\("(\w+)"\)/g)].map(([, key = ""]) => key),
    );
    runtime.setAllConfig(
      Object.fromEntries(required.map((key) => [`project:${key}`, `value-of-${key}`])),
    );
  });
  // Mocks and configuration are the process's, and other tests run in it.
  after(() => {
    runtime.resetOptions("project", "stack", -1, "", "", false, "");
    runtime.setAllConfig({});
  });

  for (const [path, source] of Object.entries(examples()))
    it(`exports values that are known: ${path}`, async () => {
      const outputs = await run(source);
      expect(outputs).to.be.an("object").that.is.not.empty;
      expect(JSON.stringify(outputs)).not.to.contain(runtime.unknownValue);
    });
});
