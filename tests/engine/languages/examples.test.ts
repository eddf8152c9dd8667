import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { parse, stringify } from "yaml";
import { startRuns } from "../../../lab/faults/runs";
import { REPOSITORY } from "../../../scripts/project";
import { recordOf } from "../../../shared/records";
import { AgentServer } from "../../../sdk";
import { RESOURCE_TYPES } from "../../../provider/resource-types";
import { makeRepository } from "../../local/repository";
import { blocksOf } from "../../support/by-hand";
import { useLanguage } from "../../support/language-stack";
import { anImageDeployment } from "../../support/platform";
import { describeIn } from "../../support/tiers";
import { documents, examples } from "../../types/sources";

const CANARY = "value-CANARY-of-an-example";

/** Programs by the paths of their documents. */
type Programs = Readonly<Record<string, string>>;
/** Values that the programs name and no platform of a test has: each is replaced. */
type Places = readonly (readonly [from: string, to: string])[];

/** What is not run here as it stands, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  getAssistantSchemas: "the built-in server, which the examples call, reads no graph",
  "functions/assistant.ts.4": "that function, in TypeScript",
  "sdk/oauth-tokens.ts": "waits until a person has opened its URL",
  "docs/ci.md": "policies: tests/engine/policy.test.ts",
  "docs/testing.md.2": "a test: tests/engine/documents.test.ts",
};
const ONLY_PREVIEWED: Readonly<Record<string, string>> = {
  "docs/assistants.md.2": "goes back to the third version of an assistant",
  "docs/assistants.md.3": "a gate: asks a graph",
  "docs/resources.md.1": "a smoke check: asks a graph",
};

const SCRIPT_OF = /(?:AgentServer|ControlPlane|startLocalPlatform|createOrSelectStack|setMocks)\(/;
const CALL = /fn::invoke|agentserver\.(?:get|list|search)|StackReference/;

const named = (path: string, table: object) =>
  Object.keys(table).some((name) => path.includes(name));

function kindOf(path: string, text: string) {
  if (named(path, ONLY_PREVIEWED)) return "preview";
  if (SCRIPT_OF.test(text)) return "script";
  return CALL.test(text) ? "function" : "resource";
}

/** The examples of the reference in a language, and what the other documents have beside them. */
async function programsIn(extension: string, language: string): Promise<Programs> {
  const folder = join(REPOSITORY, "examples/reference");
  const names = (await readdir(folder)).filter((name) => name.endsWith(extension)).toSorted();
  const files = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  const others = ["docs/_index.md", "sdks/python.md"].map(async (path) => {
    const [block = ""] = await blocksOf(path, undefined, language);
    return [path, block];
  });
  return Object.fromEntries(await Promise.all([...files, ...others]));
}

/** The project settings with the lines that a document says to add. */
async function project(runtime: unknown, document = "docs/languages.md") {
  const [plugins = ""] = await blocksOf(document, undefined, "yaml");
  return { name: "shop", runtime, ...recordOf(parse(plugins)) };
}

/** One program in YAML that has all that the programs have. */
async function inYaml(programs: Programs): Promise<Programs> {
  const parsed = Object.values(programs).map((text) => recordOf(parse(text)));
  const merged = ["config", "variables", "resources", "outputs"].map((part) => [
    part,
    Object.assign({}, ...parsed.map((program) => recordOf(program[part]))),
  ]);
  const all = { ...(await project("yaml")), ...Object.fromEntries(merged) };
  return { "Pulumi.yaml": stringify(all) };
}

/** One program in Python that runs the programs one after the other. */
async function inPython(programs: Programs): Promise<Programs> {
  const lines = Object.values(programs).map((text) => `    exec(${JSON.stringify(text)}, {})`);
  return {
    "Pulumi.yaml": stringify(await project("python")),
    "support.py": `def deploy():\n${lines.join("\n")}\n`,
  };
}

/** A program as an ES module, which may await; with the paths that CommonJS completes. */
function compiled(program: string): string {
  const text = program
    .replace("export = ", "export default ")
    .replace("./program", "$&.mjs")
    .replace("pulumi/automation", "$&/index.js");
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
  return transpileModule(text, { compilerOptions }).outputText;
}

/** Likewise in TypeScript. */
async function inTypeScript(programs: Programs): Promise<Programs> {
  const modules = Object.entries(programs).map(([path, text]) => [
    `${path.replaceAll("/", "-")}.mjs`,
    compiled(text),
  ]);
  const runtime = { name: "nodejs", options: { typescript: false } };
  return {
    ...Object.fromEntries(modules),
    "Pulumi.yaml": stringify({ ...(await project(runtime, "docs/native.md")), main: "index.mjs" }),
    "package.json": JSON.stringify({ type: "module" }),
    "program.mjs": compiled(documents()["docs/program.ts"] ?? ""),
    "index.mjs": `export default async () => {
  const outputs = {};
  for (const name of ${JSON.stringify(modules.map(([name]) => name))}) {
    const { default: program, ...exported } = await import(\`./\${name}\`);
    Object.assign(outputs, exported, await program?.());
  }
  return outputs;
};
`,
  };
}

const LANGUAGES = {
  YAML: { all: () => programsIn(".yaml", "yaml"), program: inYaml },
  Python: { all: () => programsIn(".py", "python"), program: inPython },
  TypeScript: { all: async () => ({ ...examples(), ...documents() }), program: inTypeScript },
};

/** Where TypeScript has a cron, and an assistant for it, on an agent server. */
const CRON_OF = [
  'deploymentUrl: support.url,\n  graphId: "agent",\n});',
  'deploymentUrl: support.url,\n  graphId: "agent",\n  schedule',
  "deploymentUrl: support.url,\n  assistantId",
];
/** Runs the scripts, and the native program of docs/native.md in the stack of its script. */
const SCRIPT = `import("./index.mjs").then(async ({ default: all }) => {
  const { stackOf } = await all();
  const stack = await stackOf(() => import("./docs-native.md.2.ts.mjs"));
  const { summary } = await stack.up();
  if (summary.resourceChanges.create !== 2) throw new Error(JSON.stringify(summary));
  await stack.destroy();
  process.exit();
});`;
const TIER = { YAML: "long", Python: "long", TypeScript: "nightly" } as const;
const OPTIONS = { driver: "process", maxServers: 50 } as const;

for (const name of ["YAML", "Python", "TypeScript"] as const)
  describeIn(TIER[name], `the programs in ${name} of the documents, on the real engine`, () => {
    const { all, program } = LANGUAGES[name];
    const made = useLanguage(name, { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" }, OPTIONS);
    let places: Places = [];
    /** What the state has, by kind and by id: the last part of its id, and the URL of its agent server. */
    let recorded: Readonly<Record<string, { readonly id: string; readonly url: string }>> = {};
    /** The URL of the deployment `support`, which the functions look for. */
    let support = "";
    /** In front of the built-in server, which keeps no crons. */
    const servers: Awaited<ReturnType<typeof startRuns>>[] = [];
    const withCrons = async (url: string) => {
      const server = await startRuns(url, Date.now);
      servers.push(server);
      return server.url;
    };
    after(() => Promise.all(servers.map((server) => server.close())));

    const run = async (verb: string): Promise<string> => {
      const { code, text } = await made().run(verb);
      expect(code, text).to.equal(0);
      for (const secret of [CANARY, made().test.platform.apiKey])
        for (const said of [text, await made().stack.stored()]) expect(said).not.to.contain(secret);
      return text;
    };
    const declare = async (kind: ReturnType<typeof kindOf>, own: Places = []) => {
      const chosen = new Map<string, string>();
      for (const [path, text] of Object.entries(await all()))
        if (!named(path, ELSEWHERE) && kindOf(path, text) === kind) chosen.set(text, path);
      const programs = [...chosen].map(([text, path], at) => [
        path,
        [...places, ...own]
          .reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text)
          // In one stack each has another name.
          .replaceAll(/(agentserver\.[A-Z]\w+\(\s*")([\w-]+)"/g, `$1$2-${at}"`),
      ]);
      for (const [file, text] of Object.entries(await program(Object.fromEntries(programs))))
        await made().stack.write(file, text);
    };

    before(async () => {
      const { stack, test } = made();
      const repository = await makeRepository(join(test.dataDir, "repository"));
      for (const other of ["billing", "support-staging", "support"])
        support = (await test.create({ ...anImageDeployment(), name: other })).url ?? "";
      const server = await withCrons(support);
      places = [
        ["https://git.example.com/acme/support.git", repository.url],
        ["${reports.url}", server],
        ["reports.url", `"${server}"`],
        ...CRON_OF.map((line) => [line, line.replace("support.url", `"${server}"`)] as const),
        ["`file://${process.cwd()}/agent`", JSON.stringify(repository.url)],
        ["https://eu.example.com", test.platform.url],
      ];
      const config = {
        integrationId: test.integrationId,
        euBaseUrl: test.platform.url,
        euWorkspaceId: test.platform.workspaceId,
        deploymentUrl: server,
      };
      const secrets = {
        modelApiKey: CANARY,
        trackerClientSecret: CANARY,
        agentKey: CANARY,
        crmKey: CANARY,
        euApiKey: test.platform.apiKey,
      };
      for (const [key, value] of Object.entries(config))
        await stack.done("pulumi", "config", "set", key, value);
      for (const [key, value] of Object.entries(secrets))
        await stack.done("pulumi", "config", "set", "--secret", key, value);
    });

    it("declare every resource", async () => {
      await declare("resource");
      const [, created] = /\+ (\d+) created/.exec(await run("up")) ?? [];
      expect(await run("preview")).to.contain(` ${created} unchanged`);
    });

    it("call every function", async () => {
      const { stack } = made();
      const { threadId } = await stack.outputs();
      const { deployment }: { deployment: { resources: Record<string, unknown>[] } } = JSON.parse(
        await stack.done("pulumi", "stack", "export"),
      );
      const found = deployment.resources.flatMap(({ type, id, outputs }) => {
        const own = { id: String(id).split("/").at(-1), url: recordOf(outputs)["deploymentUrl"] };
        return [String(type).split(":").at(-1), own.id].map((key) => [key, own]);
      });
      recorded = Object.fromEntries(found);
      const server = await withCrons(recorded[String(threadId)]?.url ?? "");
      const { assistants, crons } = new AgentServer({ url: server });
      const { assistant_id } = await assistants.create({ graph_id: "agent", name: "German" });
      const cron = { assistant_id, schedule: "0 9 * * *", metadata: { team: "support" } };
      const { cron_id } = await crons.create(cron);
      await new AgentServer({ url: support }).threads.create({ thread_id: String(threadId) });
      await stack.done("pulumi", "stack", "init", "functions", "--copy-config-from", "test");
      await declare("function", [
        ["https://support.example.com", server],
        ["acme/support-agent/production", "organization/shop/test"],
        ["5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f", String(threadId)],
        ["8d2fdf5d-7331-4702-b419-c34f4de91ad4", assistant_id],
        ["1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", cron_id],
      ]);
      await run("up");
      const outputs = await stack.outputs();
      expect(outputs).to.include({ clientId: "support-agent" });
      for (const text of [cron.schedule, "Where is my order?"])
        expect(JSON.stringify(outputs)).to.contain(text);
      // A result that has a secret is secret as a whole: a thread's configuration may hold keys.
      if (name !== "TypeScript")
        expect(outputs).to.include({ threadStatus: "[secret]", assistantName: "German" });
    });

    if (name === "YAML")
      for (const kind of Object.keys(RESOURCE_TYPES))
        it(`take a ${kind} by the command of its page`, async () => {
          const { stack } = made();
          await stack.done("pulumi", "stack", "select", "--create", "imported");
          const [command = ""] = await blocksOf(`docs/reference/${kind}.md`);
          const own = recorded[kind] ?? { id: "", url: "" };
          const typed = command
            .replace(/<\w+>/, own.id)
            .replace("https://support.example.com", own.url)
            .replace("\n", " --yes --generate-code=false");
          expect(await stack.done("sh", "-c", typed)).to.contain("= 1 imported");
        });

    if (name === "TypeScript") {
      it("are previewed where they ask a graph", async () => {
        await made().stack.done("pulumi", "stack", "init", "previewed");
        await declare("preview");
        await run("preview");
      });

      it("run as scripts where they declare nothing", async () => {
        const { stack } = made();
        await declare("script");
        await stack.done("env", `AGENT_URL=${await withCrons(support)}`, "node", "--eval", SCRIPT);
      });
    }

    it("are taken away again, and their secrets were nowhere in clear", async () => {
      const { stack, test } = made();
      expect(await stack.stored()).to.contain("ciphertext");
      for (const one of ["functions", "test"]) {
        await stack.done("pulumi", "stack", "select", one);
        await run("destroy");
      }
      expect(await test.deployments()).to.have.length(3);
    });
  });
