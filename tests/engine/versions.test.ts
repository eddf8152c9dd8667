import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { makeProject, makePulumiProject, type Project, REPOSITORY } from "../../scripts/project";
import { skipWithoutRegistry } from "../support/agents";
import { CliStack } from "../support/cli";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor } from "../support/engine";
import { startTestPlatform, usePlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { describeLong } from "../support/tiers";

const run = promisify(execFile);

/** The oldest versions that package.json promises, and the newest of today. */
const VERSIONS = [
  { node: "22.21.0", pulumi: "3.217.0", typescript: "5.9.3" },
  { node: "26.10.0", pulumi: "3.276.0", typescript: "6.0.3" },
];

/** The package that holds only the binary of Node, without a script to install it. */
const NODE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

for (const { node, pulumi, typescript } of VERSIONS)
  describeLong(`the packed package with Node ${node} and @pulumi/pulumi ${pulumi}`, () => {
    const test = usePlatform();
    let project: Project;
    /** This Node, and not the one that the tests run with. */
    const environment = () => ({
      ...process.env,
      ...project.environment,
      PATH: `${join(project.dir, `node_modules/${NODE}/bin`)}:${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`,
    });
    before(async function () {
      await skipWithoutRegistry(this, "javascript");
      project = await makeProject("agentserver-versions-", ["examples/quickstart/index.ts"]);
      await makePulumiProject(project, "quickstart");
      const { dir } = project;
      await rm(join(dir, "node_modules"), { recursive: true });
      const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", dir], {
        cwd: REPOSITORY,
      });
      const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
      const packages = [
        `./${filename}`,
        `${NODE}@${node}`,
        `@pulumi/pulumi@${pulumi}`,
        `typescript@${typescript}`,
        "ts-node@10.9.2",
        "@types/node@22.20.5",
      ];
      await run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: dir });
    });
    after(() => project?.remove());

    it("creates, previews without a change, refreshes and destroys the quickstart", async () => {
      const versions = `console.log(process.version, require("@pulumi/pulumi/version").version)`;
      const options = { cwd: project.dir, env: environment() };
      const { stdout } = await run("node", ["-e", versions], options);
      expect(stdout.trim()).to.equal(`v${node} ${pulumi}`);
      const stack = await LocalWorkspace.createOrSelectStack(
        { stackName: "test", workDir: project.dir },
        { envVars: { ...project.environment, PATH: environment().PATH } },
      );
      await stack.setAllConfig({
        ...settingsFor(test.platform),
        "quickstart:integrationId": { value: test.integrationId },
        "quickstart:repoUrl": { value: "https://git.example.com/acme/support.git" },
        "quickstart:modelApiKey": { value: "value-of-the-key", secret: true },
      });
      expect((await stack.up()).outputs["url"]?.value).to.contain("/agents/");
      expect((await stack.preview()).changeSummary).to.deep.equal({ same: 2 });
      expect((await stack.refresh()).summary.resourceChanges).to.deep.equal({ same: 2 });
      expect((await stack.destroy()).summary.resourceChanges).to.deep.equal({ delete: 2 });
    });
  });

describeFrontEnds("a state that another Pulumi CLI has written", "long", "long", (frontEnd) => {
  it("is taken on by this one, and goes back: nothing to change, one deployment, and each change is one revision", async function () {
    const versions = join(process.env["PULUMI_HOME"] || join(homedir(), ".pulumi"), "versions");
    const found = await readdir(versions).catch(() => []);
    const { stdout } = await run("pulumi", ["version"]);
    const others = found.filter((version) => `v${version}` !== stdout.trim());
    if (others.length === 0) {
      process.stderr.write(`\nNOT TESTED: no other Pulumi CLI is in ${versions}\n\n`);
      this.skip();
    }
    for (const version of others) {
      const test = await startTestPlatform();
      const stack = await CliStack.create(test.platform, frontEnd);
      const PATH = `${join(versions, version, "bin")}:${process.env["PATH"]}`;
      const other = new CliStack(stack.project, test.platform, { PATH });
      const done = async (by: CliStack, ...words: string[]) => {
        const { code, text } = await by.run(...words);
        expect(code, `${version}: ${text}`).to.equal(0);
        return text;
      };
      const up = async (by: CliStack, size: string) => {
        await by.declare({
          support: { ...gitArgs(test), env: { SIZE: size }, secrets: { KEY: "k" } },
        });
        await done(by, "up", "--yes", "--skip-preview");
      };
      try {
        expect(await done(other, "version")).to.contain(version);
        await done(other, "stack", "select", "test");
        await up(other, "1");
        const ids = await stack.ids();
        for (const [by, size] of [
          [stack, "2"],
          [other, "3"],
        ] as const) {
          await done(by, "preview", "--expect-no-changes");
          await done(by, "refresh", "--yes", "--expect-no-changes");
          await up(by, size);
        }
        expect(await stack.ids()).to.deep.equal(ids);
        const [only, ...more] = await test.deployments();
        expect(more).to.be.empty;
        expect(await test.revisions(only?.id ?? "")).to.have.length(3);
        await done(stack, "destroy", "--yes", "--skip-preview");
        expect(await test.deployments()).to.be.empty;
      } finally {
        await stack.remove();
        await test.close();
      }
    }
  });
});
