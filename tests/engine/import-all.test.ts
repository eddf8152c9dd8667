import { expect } from "chai";
import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { FrontEnd } from "../../cli/import/program";
import { makeProject } from "../../scripts/project";
import { AgentServer } from "../../sdk";
import { DIALECTS } from "../../sdk/dialect";
import { defaultAssistantId } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import { snakeKeys } from "../../provider/arguments/casing";
import { TestStack } from "../support/engine";
import { everyGitArgument, everyImageArgument } from "../support/every-field";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../support/platform";
import { describeIn, describeLong } from "../support/tiers";

const run = promisify(execFile);
const CLI = join(__dirname, "../../cli/main.js");
const COUNT = 24;

/**
 * Takes over all that a platform has, as a user does: the command, the steps of the README it writes, and previews. Returns
 * the text of each file.
 */
async function takeOver(test: TestPlatform, frontEnd: FrontEnd, resources: number) {
  const project = await makeProject("agentserver-import-");
  try {
    const env = { ...process.env, ...project.environment };
    const folder = join(project.dir, "imported");
    const inFolder = { cwd: folder, env, maxBuffer: 1 << 26 };
    const words = `import imported --front-end ${frontEnd} --pulumi test --json --data-dir`;
    const command = [CLI, ...words.split(" "), test.dataDir];
    const { stdout } = await run(process.execPath, command, { ...inFolder, cwd: project.dir });
    const printed: { files: string[]; problems: unknown[] } = JSON.parse(stdout);
    expect(printed.problems).to.deep.equal([]);
    const names = [...printed.files, "Pulumi.test.yaml"];
    const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
    const files: Record<string, string> = Object.fromEntries(await Promise.all(texts));
    expect(Object.values(files).join("\n") + stdout).not.to.contain("CANARY");
    await symlink("../node_modules", join(folder, "node_modules"));
    const stack = await TestStack.inFolder({ ...project, dir: folder }, "test");
    if (frontEnd === "native") {
      const [, line = ""] = /^pulumi (import .*)$/m.exec(files["README.md"] ?? "") ?? [];
      await run("pulumi", [...line.split(" "), "--yes", "--stack", "test"], inFolder);
    } else {
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
    }
    const clean = { same: resources + 1 };
    for (const step of ["preview", "refresh", "preview"] as const) {
      const { changes, text } = await stack[step]({});
      expect(changes, `${step}: ${text}`).to.deep.equal(clean);
    }
    return files;
  } finally {
    await project.remove();
  }
}

for (const dialect of DIALECTS)
  describeIn(
    dialect === "agentserver" ? "long" : "nightly",
    `the command import, with ${COUNT} deployments in dialect ${dialect}`,
    () => {
      let test: TestPlatform;
      before(async () => {
        test = await startTestPlatform({ dialect });
        for (let number = 0; number < COUNT; number += 1) {
          const { id } = await test.create(anyShape(test, number));
          await test.untilRevision(id, "DEPLOYED");
        }
        const provider = {
          provider_id: "tracker",
          name: "Tracker",
          client_id: "support",
          client_secret: "client-CANARY",
          auth_url: "https://tracker.example.com/authorize",
          token_url: "https://tracker.example.com/token",
          uses_pkce: true,
        };
        await test.request("POST", "/v2/auth/providers", provider);
      });
      after(() => test.close());

      for (const frontEnd of ["dynamic", "native"] as const)
        it(`writes a project of the ${frontEnd} provider that takes all over, without a revision, and then shows no change`, async () => {
          // A listener and an OAuth provider beside them.
          await takeOver(test, frontEnd, COUNT + 2);
          for (const { id } of await test.deployments())
            expect(await test.revisions(id)).to.have.lengthOf(1);
        });
    },
  );

describeLong("the command import, with assistants", () => {
  let test: TestPlatform;
  before(async () => {
    test = await startTestPlatform({ driver: "process" });
    const { id } = await test.create({ ...anImageDeployment(), name: "support", secrets: [] });
    await test.untilRevision(id, "DEPLOYED");
    const { assistants } = new AgentServer({ url: (await test.get(id)).url ?? "" });
    for (const name of ["German", "Same name", "Same name"])
      await assistants.create({
        graph_id: "agent",
        name,
        description: "tier 1",
        config: { recursion_limit: 5 },
        context: { prompt: "Antworte \u00fc`${x}`", "with.dot": [1, null] },
        metadata: { team: "support" },
      });
    await assistants.create({ graph_id: "agent", config: { configurable: { model: "m" } } });
    const assistant_id = defaultAssistantId("agent");
    await assistants.create({ assistant_id, graph_id: "agent", name: "agent" });
    await assistants.update(assistant_id, { description: "changed" });
  });
  after(() => test.close());

  for (const frontEnd of ["native", "dynamic"] as const)
    it(`takes them over with their deployment through the ${frontEnd} provider, also a default one that was changed`, async () => {
      const files = await takeOver(test, frontEnd, 7);
      expect(files["index.ts"]).to.contain("deploymentUrl: support.url");
    });
});

type Members = Readonly<Record<string, unknown>>;

/** The variables of deployments, by a number: none, an empty one, several, with a name that others have too. */
const VARIABLES: readonly Readonly<Record<string, string>>[] = [
  {},
  { EMPTY: "" },
  { SHARED: "shared-CANARY", "with.dot": "dot-CANARY", LINES: "one-CANARY\ntwo\n" },
  { SHARED: "shared-CANARY", QUOTES: `"'\u00fc$(x) CANARY` },
];

/**
 * The body of the create of a deployment, of every shape: a number chooses the source, and which of the fields it has that
 * it need not have.
 */
function anyShape(test: TestPlatform, number: number): Members {
  const own = Object.entries({
    ...VARIABLES[number % VARIABLES.length],
    OWN: `own-CANARY-${number}`,
  });
  const secrets = number % 5 === 0 ? [] : own.map(([name, value]) => ({ name, value }));
  const sources = [gitShape, imageShape, internalShape];
  const { name, ...shape } = sources[number % sources.length]?.(test, number) ?? {};
  return { ...shape, name: `${String(name)}-${number}`, secrets };
}

function gitShape(test: TestPlatform, number: number): Members {
  const { name, source, sourceConfig, sourceRevisionConfig } = everyGitArgument(test);
  const { integrationId, repoUrl, deploymentType, ...optional } = sourceConfig;
  const isTag = number % 2 === 0;
  const config = { integrationId, repoUrl, deploymentType, ...some(optional, number) };
  return wire({
    name,
    source,
    sourceConfig: isTag ? { ...config, buildOnPush: false } : config,
    sourceRevisionConfig: { ...sourceRevisionConfig, ...(isTag && { repoRef: "refs/tags/v1" }) },
  });
}

function imageShape(test: TestPlatform, number: number): Members {
  const { name, source, sourceConfig, sourceRevisionConfig } = everyImageArgument(test);
  const { listenerId, listenerConfig, resourceSpec, ...optional } = sourceConfig;
  const placed = number % 2 === 0 ? { listenerId, listenerConfig } : {};
  const { volumes, volumeMounts, sidecars, ...size } = resourceSpec;
  const pod = number % 4 === 0 ? { volumes, volumeMounts, sidecars } : {};
  const isWhole = number === 1;
  const spec = isWhole ? resourceSpec : { ...some(size, number), ...pod };
  return wire({
    name,
    source,
    sourceConfig: { ...some(optional, number), ...placed, resourceSpec: spec },
    sourceRevisionConfig,
  });
}

function internalShape(_test: TestPlatform, number: number): Members {
  const optional = { deploymentType: "prod", installCommand: "npm ci", buildCommand: "true" };
  return wire({
    name: "every-internal",
    source: "internal_container",
    sourceConfig: some(optional, number),
    sourceRevisionConfig: some({ imageUri: "internal.example.com/agent:2" }, number),
  });
}

/** A part of the members that differs from number to number. */
function some(members: Members, number: number): Members {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.filter((_, at) => (number * 7 + at * (at + 3)) % 4 > 1));
}

function wire(members: Members): Members {
  return Object.fromEntries(
    Object.entries(snakeKeys(members)).map(([name, value]) => [
      name,
      isRecord(value) ? snakeKeys(value) : value,
    ]),
  );
}
