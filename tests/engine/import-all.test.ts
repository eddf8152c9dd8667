import { expect } from "chai";
import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { FrontEnd } from "../../cli/import/program";
import { makeProject } from "../../scripts/project";
import { AgentServer } from "../../sdk";
import { defaultAssistantId } from "../../sdk/schema";
import { snakeKeys } from "../../provider/arguments/casing";
import { anOAuthProvider } from "../support/builders";
import { expectDone } from "../support/run";
import { TestStack } from "../support/engine";
import { everyGitArgument, everyImageArgument } from "../support/every-field";
import { anImageDeployment, type TestPlatform, usePlatform } from "../support/platform";
import { describeLong } from "../support/tiers";

const run = promisify(execFile);
const CLI = join(__dirname, "../../cli/main.js");

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
      await expectDone(stack.up());
    }
    for (const step of ["preview", "refresh", "preview"] as const) {
      const { changes, text } = await stack[step]({});
      expect(changes, `${step}: ${text}`).to.deep.equal({ same: resources + 1 });
    }
    return files;
  } finally {
    await project.remove();
  }
}

describeLong("the command import, with deployments of every shape", () => {
  const test = usePlatform();
  before(async () => {
    for (const body of bodiesOf(test)) {
      const { id } = await test.create(body);
      await test.untilRevision(id, "DEPLOYED");
    }
    const provider = anOAuthProvider({ client_secret: "client-CANARY", uses_pkce: true });
    await test.request("POST", "/v2/auth/providers", provider);
  });

  for (const frontEnd of ["dynamic", "native"] as const)
    it(`writes a project of the ${frontEnd} provider that takes all over, without a revision, and then shows no change`, async () => {
      // A listener and an OAuth provider beside them.
      await takeOver(test, frontEnd, bodiesOf(test).length + 2);
      for (const { id } of await test.deployments())
        expect(await test.revisions(id)).to.have.lengthOf(1);
    });
});

describeLong("the command import, with assistants", () => {
  const test = usePlatform({ driver: "process" });
  before(async () => {
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

  for (const frontEnd of ["native", "dynamic"] as const)
    it(`takes them over with their deployment through the ${frontEnd} provider, also a default one that was changed`, async () => {
      const files = await takeOver(test, frontEnd, 7);
      expect(files["index.ts"]).to.contain("deploymentUrl: support.url");
    });
});

/** The variables of deployments: none, one that is empty, several, with a name that others have too. */
const VARIABLES: readonly Readonly<Record<string, string>>[] = [
  {},
  { EMPTY: "", OWN: "own-CANARY" },
  { SHARED: "shared-CANARY", "with.dot": "dot-CANARY", LINES: "one-CANARY\ntwo\n" },
  { SHARED: "shared-CANARY", QUOTES: `"'\u00fc$(x) CANARY` },
];

/** The bodies of creates of every shape: each source with all, some and none of the fields that it need not have. */
function bodiesOf(test: TestPlatform): Readonly<Record<string, unknown>>[] {
  const [git, image] = [everyGitArgument(test), everyImageArgument(test)];
  const { integrationId, repoUrl, deploymentType, buildCommand } = git.sourceConfig;
  const least = { integrationId, repoUrl, deploymentType };
  const { listenerId, listenerConfig } = image.sourceConfig;
  const placed = { listenerId, listenerConfig, resourceSpec: { cpu: 1, minScale: 2 } };
  const built = { deploymentType: "prod", installCommand: "npm ci", buildCommand: "true" };
  const source = "internal_container";
  const shapes = [
    git,
    { ...git, sourceConfig: least },
    {
      ...git,
      sourceConfig: { ...least, buildOnPush: false, buildCommand },
      sourceRevisionConfig: { ...git.sourceRevisionConfig, repoRef: "refs/tags/v1" },
    },
    image,
    { ...image, sourceConfig: { resourceSpec: {} } },
    { ...image, sourceConfig: placed },
    { source, sourceConfig: {}, sourceRevisionConfig: {} },
    { source, sourceConfig: built, sourceRevisionConfig: { imageUri: "internal.example.com/a:2" } },
  ];
  return shapes.flatMap((shape, at) =>
    VARIABLES.map((variables, number) => ({
      source: shape.source,
      name: `every-${at}-${number}`,
      source_config: snakeKeys(shape.sourceConfig),
      source_revision_config: snakeKeys(shape.sourceRevisionConfig),
      secrets: Object.entries(variables).map(([name, value]) => ({ name, value })),
    })),
  );
}
