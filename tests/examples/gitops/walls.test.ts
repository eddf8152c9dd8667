import { expect } from "chai";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useTeam } from "./team";

/** Leaves a file when Pulumi runs it. */
const codeOf = (file: string) =>
  `require("fs").writeFileSync(${JSON.stringify(file)}, ""); exports.handler = () => ({ read: async (id, props) => ({ id, props }), delete: async () => {}, diff: async () => ({}) });`;

/** A state with a dynamic resource, which brings its own code. */
function stateWith(code: string) {
  const provider = "urn:pulumi:staging::support-agent::pulumi:providers:pulumi-nodejs::default";
  const id = "11111111-1111-4111-8111-111111111111";
  const type = "pulumi-nodejs:dynamic:Resource";
  const urn = `urn:pulumi:staging::support-agent::${type}::x`;
  const values = { inputs: { __provider: code }, outputs: { __provider: code } };
  return {
    version: 3,
    deployment: {
      manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" },
      resources: [
        { urn: provider, custom: true, id, type: "pulumi:providers:pulumi-nodejs" },
        { ...values, urn, custom: true, id: "x", type, provider: `${provider}::${id}` },
      ],
    },
  };
}

describe("the walls of examples/gitops", () => {
  const team = useTeam();
  let first = "";

  before(async () => {
    first = await team.git("rev-parse", "main");
    await team.tag(`passed/staging/${first}`, first);
  });

  it("run no code that a state names: a deploy, a comparison and a preview refuse the state", async () => {
    const ran = join(team.dir, "ran");
    const clone = await team.clone();
    await writeFile(join(team.dir, "forged.json"), JSON.stringify(stateWith(codeOf(ran))));
    for (const command of ["select --create", `import --file ${team.dir}/forged.json --stack`])
      await team.succeedIn(clone, `pulumi stack ${command} staging`);
    for (const command of ["deploy.sh staging", "drift.sh staging", "preview.sh"]) {
      await team.tag(`release/${first.slice(0, 12)}`, first);
      const text = await team.fail(`scripts/${command}`);
      expect(text, command).to.contain("the state of staging has what its program never declared");
      expect(text, command).to.contain("pulumi-nodejs:dynamic:Resource::x");
    }
    expect(existsSync(ran)).to.equal(false);
    const unguarded = "pulumi refresh --stack staging --yes --skip-preview --non-interactive";
    await team.runIn(clone, unguarded);
    expect(existsSync(ran), "Pulumi itself runs it").to.equal(true);
  });

  it("take the line of a proposal, and nothing else of its branch", async () => {
    const { url } = team.platform.platform;
    const text = await team.git("show", "main:environments.json");
    const here = text.replace("https://api.agents.example.com", url);
    const serves = await team.commit("Our region", { "environments.json": here });
    const hostile = {
      "environments.json": text
        .replace("https://api.agents.example.com", "http://127.0.0.1:1")
        .replace('"release": null', `"release": "${first}"`),
      "package.json": '{ "name": "hostile" }',
      ".npmrc": "ignore-scripts=false\n",
      "index.ts": "throw new Error('hostile');\n",
      "scripts/lib.sh": "exit 1\n",
    };
    await team.commit("Hostile", hostile, "hostile");
    const clone = await team.clone();
    await team.runIn(clone, "pulumi stack select --create production");
    const command = "scripts/preview.sh production origin/hostile";
    const shown = await team.succeedIn(clone, command, { AGENTSERVER_BASE_URL: "" });
    expect(shown).to.contain("support: create").and.not.to.contain("hostile");
    const tree = join(clone, ".git/tree/package.json");
    expect(await readFile(tree, "utf8")).to.equal(await team.git("show", `${first}:package.json`));
    expect(await team.gitIn(clone, "rev-parse", "HEAD")).to.equal(serves);
  });

  it("preview and run no commit of a branch with the keys of an environment", async () => {
    const beside = await team.git("rev-parse", "origin/hostile");
    await team.tag(`passed/staging/${beside}`, beside);
    const text = await team.git("show", "main:environments.json");
    const proposed = text.replace('"release": null', `"release": "${beside}"`);
    await team.commit("Run it", { "environments.json": proposed }, "unmerged");
    for (const command of [
      "preview.sh production origin/unmerged",
      `promote.sh production ${beside}`,
    ])
      expect(await team.fail(`scripts/${command}`)).to.contain(
        `production cannot run commit ${beside}, which is not in the default branch of origin`,
      );
    // "main" in a proposal is the default branch of today, not the proposal.
    const newest = text.replace('"release": null', '"release": "main"');
    await team.commit("Run the newest", { "environments.json": newest }, "newest");
    const main = await team.git("rev-parse", "main");
    const notPassed = `${main} has not passed staging`;
    expect(await team.fail("scripts/preview.sh production origin/newest")).to.contain(notPassed);
    expect(await team.platform.deployments()).to.deep.equal([]);
  });
});
