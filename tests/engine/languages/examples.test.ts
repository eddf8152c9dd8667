import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "chai";
import { parse, stringify } from "yaml";
import { startRuns } from "../../../lab/faults/runs";
import { REPOSITORY } from "../../../scripts/project";
import { recordOf } from "../../../shared/records";
import { RESOURCE_TYPES } from "../../../provider/resource-types";
import { AgentServer } from "../../../sdk";
import { makeRepository } from "../../local/repository";
import { PLUGIN, useLanguage } from "../../support/language-stack";
import { anImageDeployment } from "../../support/platform";
import { describeLong } from "../../support/tiers";

const FOLDER = join(REPOSITORY, "examples/reference");
const CANARY = "value-CANARY-of-an-example";
const RESOURCES: readonly string[] = [...Object.keys(RESOURCE_TYPES), "Provider"];
/** The built-in server, which the examples call, reads no graph. */
const NOT_CALLED = ["getAssistantSchemas"];

/** Values that the examples name and no platform of a test has: each is replaced. */
type Places = readonly (readonly [from: string, to: string])[];

async function exampleTexts(extension: string, isOfResource: boolean, places: Places) {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(extension)).toSorted();
  const chosen = names.filter((name) => {
    const of = basename(name, extension);
    return RESOURCES.includes(of) === isOfResource && !NOT_CALLED.includes(of);
  });
  const texts = chosen.map((name) => readFile(join(FOLDER, name), "utf8"));
  return (await Promise.all(texts)).map((text) =>
    places.reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text),
  );
}

const HEAD = { name: "shop", plugins: { providers: [{ name: "agentserver", path: PLUGIN }] } };

/** One program in YAML that has all that the examples have. */
function inYaml(texts: readonly string[]): Record<string, string> {
  const programs = texts.map((text) => recordOf(parse(text)));
  const merged = ["config", "variables", "resources", "outputs"].map((part) => [
    part,
    Object.assign({}, ...programs.map((program) => recordOf(program[part]))),
  ]);
  return { "Pulumi.yaml": stringify({ ...HEAD, runtime: "yaml", ...Object.fromEntries(merged) }) };
}

/** One program in Python that runs the examples one after the other. */
function inPython(texts: readonly string[]): Record<string, string> {
  const lines = texts.map((text) => `    exec(${JSON.stringify(text)}, {})`);
  return {
    "Pulumi.yaml": stringify({ ...HEAD, runtime: "python" }),
    "support.py": `def deploy():\n${lines.join("\n")}\n`,
  };
}

const LANGUAGES = {
  YAML: { extension: ".yaml", program: inYaml },
  Python: { extension: ".py", program: inPython },
} as const;

for (const name of ["YAML", "Python"] as const)
  describeLong(`the examples in ${name} of the schema, on the real engine`, () => {
    const { extension, program } = LANGUAGES[name];
    const made = useLanguage(name, program([]), { driver: "process" });
    let places: Places = [];
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
      return text;
    };
    const declare = async (isOfResource: boolean, own: Places = []) => {
      const texts = await exampleTexts(extension, isOfResource, [...places, ...own]);
      for (const [file, text] of Object.entries(program(texts)))
        await made().stack.write(file, text);
    };

    before(async () => {
      const { stack, test } = made();
      const { url } = await makeRepository(join(test.dataDir, "repository"));
      const support = await test.create({ ...anImageDeployment(), name: "support" });
      const server = await withCrons(support.url ?? "");
      places = [
        ["https://git.example.com/acme/support.git", url],
        ["${reports.url}", server],
        ["reports.url", `"${server}"`],
      ];
      const config = {
        integrationId: test.integrationId,
        euBaseUrl: test.platform.url,
        euWorkspaceId: test.platform.workspaceId,
      };
      const secrets = {
        modelApiKey: CANARY,
        trackerClientSecret: CANARY,
        euApiKey: test.platform.apiKey,
      };
      for (const [key, value] of Object.entries(config))
        await stack.done("pulumi", "config", "set", key, value);
      for (const [key, value] of Object.entries(secrets))
        await stack.done("pulumi", "config", "set", "--secret", key, value);
    });

    it("declare every resource", async () => {
      await declare(true);
      expect(await run("up")).to.match(/\+ 13 created/);
      expect(await run("preview")).to.contain("13 unchanged");
    });

    it("call every function", async () => {
      const { stack } = made();
      const { url, threadId } = { ...(await stack.outputs()) };
      const server = await withCrons(await fixtureUrl());
      const { assistants, crons } = new AgentServer({ url: server });
      const { assistant_id } = await assistants.create({ graph_id: "agent", name: "German" });
      const cron = { assistant_id, schedule: "0 9 * * *", metadata: { team: "support" } };
      const { cron_id } = await crons.create(cron);
      expect(url).to.contain("/agents/");
      await stack.done("pulumi", "stack", "init", "functions");
      await declare(false, [
        ["https://support.example.com", server],
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

    it("leave no secret in the states, and are taken away again", async () => {
      const { stack, test } = made();
      expect(await stack.stored()).to.contain("ciphertext");
      for (const secret of [CANARY, test.platform.apiKey])
        expect(await stack.stored()).not.to.contain(secret);
      await declare(true);
      await stack.done("pulumi", "stack", "select", "test");
      expect(await run("destroy")).to.contain("- 13 deleted");
    });

    /** The URL of the agent server that has the thread. */
    async function fixtureUrl(): Promise<string> {
      const { deployment }: { deployment: { resources: Record<string, unknown>[] } } = JSON.parse(
        await made().stack.done("pulumi", "stack", "export"),
      );
      const thread = deployment.resources.find(({ type }) => type === "agentserver:index:Thread");
      return String(recordOf(thread?.["outputs"])["deploymentUrl"]);
    }
  });
