import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { parse, stringify } from "yaml";
import { startRuns } from "../../../lab/faults/runs";
import { REPOSITORY } from "../../../scripts/project";
import { recordOf } from "../../../shared/records";
import { RESOURCE_TYPES } from "../../../provider/resource-types";
import { AgentServer } from "../../../sdk";
import { makeRepository, type Repository } from "../../local/repository";
import { installedSdk, needPython, needYamlHost } from "../../support/languages";
import { LanguageStack, PLUGIN } from "../../support/language-stack";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeLong } from "../../support/tiers";

const FOLDER = join(REPOSITORY, "scripts/schema/examples");
const CANARY = "value-CANARY-of-an-example";
const RESOURCES: readonly string[] = [...Object.keys(RESOURCE_TYPES), "Provider"];
/** The built-in server, which the examples call, reads no graph. */
const NOT_CALLED = ["getAssistantSchemas"];

/** Values that the examples name and no platform of a test has: each is replaced. */
type Places = readonly (readonly [from: string, to: string])[];

async function exampleTexts(extension: string, isOfResource: boolean, places: Places) {
  const names = (await readdir(FOLDER))
    .filter(
      (name) => name.endsWith(extension) && !NOT_CALLED.includes(name.slice(0, -extension.length)),
    )
    .toSorted();
  const chosen = names.filter(
    (name) => RESOURCES.includes(name.slice(0, -extension.length)) === isOfResource,
  );
  const texts = chosen.map((name) => readFile(join(FOLDER, name), "utf8"));
  return (await Promise.all(texts)).map((text) =>
    places.reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text),
  );
}

const HEAD = {
  name: "shop",
  plugins: { providers: [{ name: "agentserver", path: PLUGIN }] },
};

/** One program in YAML that has all that the examples have. */
function inYaml(texts: readonly string[]): Record<string, string> {
  const programs = texts.map((text) => recordOf(parse(text)));
  const merged = ["config", "variables", "resources", "outputs"].map((part) => [
    part,
    Object.assign({}, ...programs.map((program) => recordOf(program[part]))),
  ]);
  return {
    "Pulumi.yaml": stringify({ ...HEAD, runtime: "yaml", ...Object.fromEntries(merged) }),
  };
}

/** One program in Python that runs the examples one after the other. */
function inPython(texts: readonly string[]): Record<string, string> {
  const lines = texts.map((text) => `    exec(${JSON.stringify(text)}, {})`);
  return {
    "Pulumi.yaml": stringify({ ...HEAD, runtime: "python" }),
    "support.py": `def deploy():\n${lines.join("\n")}\n`,
  };
}

interface Language {
  readonly extension: string;
  readonly program: (texts: readonly string[]) => Record<string, string>;
  /** The options before the verb on the command line, and the configuration that the stack needs. */
  readonly prepare: (context: Mocha.Context) => Promise<{
    readonly command: readonly string[];
    readonly path?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
  }>;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  YAML: {
    extension: ".yaml",
    program: inYaml,
    prepare: async (context) => ({ command: ["pulumi"], path: [await needYamlHost(context)] }),
  },
  Python: {
    extension: ".py",
    program: inPython,
    async prepare(context) {
      const python = await needPython(context);
      const script = await readFile(join(REPOSITORY, "examples/python/automate.py"), "utf8");
      return {
        command: [python, "automate.py"],
        environment: { PYTHONPATH: await installedSdk(python) },
        files: { "automate.py": script },
      };
    },
  },
};

for (const [name, { extension, program, prepare }] of Object.entries(LANGUAGES))
  describeLong(`the examples in ${name} of the schema, on the real engine`, () => {
    let test: TestPlatform;
    let repository: Repository;
    let stack: LanguageStack;
    let command: readonly string[];
    let sdk: string | undefined;
    /** In front of the built-in server, which keeps no crons. */
    const withCrons: Awaited<ReturnType<typeof startRuns>>[] = [];
    let ofResources: Places;

    const run = async (verb: string): Promise<string> => {
      const [tool = "", ...args] = command;
      return stack.done(tool, ...args, verb);
    };
    const declare = async (isOfResource: boolean, places: Places) => {
      const files = program(await exampleTexts(extension, isOfResource, places));
      for (const [file, text] of Object.entries(files)) await stack.write(file, text);
    };

    before(async function () {
      const prepared = await prepare(this);
      ({ command } = prepared);
      sdk = prepared.environment?.["PYTHONPATH"];
      test = await startTestPlatform({ driver: "process" });
      repository = await makeRepository(join(test.dataDir, "repository"));
      const { url = "" } = await test.create({
        name: "support",
        source: "external_container",
        source_config: {},
        source_revision_config: { image_uri: "registry.example.com/support:1" },
      });
      const server = await startRuns(url ?? "", Date.now);
      withCrons.push(server);
      ofResources = [
        ["https://git.example.com/acme/support.git", repository.url],
        ["${reports.url}", server.url],
        ["reports.url", `"${server.url}"`],
      ];
      stack = await LanguageStack.create({
        ...prepared,
        files: { ...program([]), ...prepared.files },
        platform: test.platform,
      });
      const config = {
        integrationId: test.integrationId,
        euBaseUrl: test.platform.url,
        euWorkspaceId: test.platform.workspaceId,
      };
      for (const [key, value] of Object.entries(config))
        await stack.done("pulumi", "config", "set", key, value);
      for (const key of ["modelApiKey", "trackerClientSecret"])
        await stack.done("pulumi", "config", "set", "--secret", key, CANARY);
      await stack.done("pulumi", "config", "set", "--secret", "euApiKey", test.platform.apiKey);
    });
    after(async () => {
      await stack?.remove();
      await Promise.all(withCrons.map((server) => server.close()));
      await test?.close();
      if (sdk !== undefined) await rm(sdk, { recursive: true, force: true });
    });

    it("declare every resource", async () => {
      await declare(true, ofResources);
      expect(await run("up")).to.match(/\+ 13 created/);
      expect(await run("preview")).to.contain("13 unchanged");
    });

    it("call every function", async () => {
      const { url, threadId } = { ...(await stack.outputs()) };
      const server = await startRuns(await fixtureUrl(), Date.now);
      withCrons.push(server);
      const { assistants, crons } = new AgentServer({ url: server.url });
      const { assistant_id } = await assistants.create({ graph_id: "agent", name: "German" });
      const cron = { assistant_id, schedule: "0 9 * * *", metadata: { team: "support" } };
      const { cron_id } = await crons.create(cron);
      expect(url).to.contain("/agents/");
      await stack.done("pulumi", "stack", "init", "functions");
      await declare(false, [
        ["https://support.example.com", server.url],
        ["5f0c1f9e-0c5b-4c3a-9d57-1a2b3c4d5e6f", String(threadId)],
        ["8d2fdf5d-7331-4702-b419-c34f4de91ad4", assistant_id],
        ["1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", cron_id],
      ]);
      await run("up");
      const outputs = await stack.outputs();
      // A result that has a secret is secret as a whole: a thread's configuration may hold keys.
      expect(outputs).to.include({ clientId: "support-agent", threadStatus: "[secret]" });
      expect(outputs).to.include({ assistantName: "German" });
      expect(JSON.stringify(outputs)).to.contain(cron.schedule);
      expect(outputs["threadValues"]).to.have.nested.property("messages[0].content");
    });

    it("leave no secret in the states", async () => {
      expect(await stack.stored())
        .to.contain("ciphertext")
        .and.not.to.contain(CANARY);
      expect(await stack.stored()).not.to.contain(test.platform.apiKey);
    });

    it("are taken away again", async () => {
      await declare(true, ofResources);
      await stack.done("pulumi", "stack", "select", "test");
      expect(await run("destroy")).to.contain("- 13 deleted");
    });

    /** The URL of the agent server that has the thread. */
    async function fixtureUrl(): Promise<string> {
      const { deployment }: { deployment: { resources: Record<string, unknown>[] } } = JSON.parse(
        await stack.done("pulumi", "stack", "export"),
      );
      const thread = deployment.resources.find(({ type }) => type === "agentserver:index:Thread");
      return String(recordOf(thread?.["outputs"])["deploymentUrl"]);
    }
  });
