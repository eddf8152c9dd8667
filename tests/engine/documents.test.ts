import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { makeProject, makePulumiProject, type Project } from "../../scripts/project";
import { blocksOf, type } from "../support/by-hand";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeNightly } from "../support/tiers";

/** Documents whose commands make one story in one folder. */
const STORY =
  "installation-configuration real-service settings production ci local-platform import native";

const PLUGIN = "{ name: agentserver, path: node_modules/pulumi-agentserver/dist/plugin }";
const PREPARED = `git init --quiet && git add index.ts
pulumi stack init production
pulumi config set repoUrl https://git.example.com/acme/support.git
pulumi config set --secret modelApiKey not-a-real-key
git add Pulumi.production.yaml
git -c user.name=a -c user.email=a@example.com commit --quiet --message "a release"`;

describeNightly("the commands of the documents, typed in their order", () => {
  let test: TestPlatform;
  let project: Project;
  let environment: Readonly<Record<string, string>>;

  before(async () => {
    project = await makeProject("agentserver-documents-", ["examples/quickstart/index.ts"]);
    await makePulumiProject(project, "quickstart");
    await appendFile(join(project.dir, "Pulumi.yaml"), `plugins: { providers: [${PLUGIN}] }\n`);
    const dataDir = join(project.dir, ".agentserver");
    test = await startTestPlatform({ dataDir, dialect: "langsmith" });
    environment = {
      ...project.environment,
      AGENTSERVER_BASE_URL: test.platform.url,
      AGENTSERVER_DIALECT: "langsmith",
      AGENTSERVER_WORKSPACE_ID: test.platform.workspaceId,
      AGENTSERVER_API_KEY: test.platform.apiKey,
      NUMBER: "17",
    };
    await type(PREPARED, project.dir, environment);
  });
  after(async () => {
    await test.close();
    await project.remove();
  });

  /** With the reader's own in its places, and without what cannot be typed here. */
  const withOwn = (block: string, id: string): string =>
    block
      // Not released; runs until it is stopped; there is no lock file.
      .replace(/^(pulumi plugin install .*|npx pulumi-agentserver local|npm ci)$/m, "")
      .replace(/https:\/\/(api\.host\.langchain|langsmith\.example)\.com/, test.platform.url)
      .replace(/<(workspaceId|id of the workspace)>/, test.platform.workspaceId)
      .replace(/--secret agentserver:apiKey$/m, `$& <<<${test.platform.apiKey}`)
      .replace("<commit of the release>", "HEAD")
      .replace("from staging", "from production")
      // Not every language host here prints a program.
      .replace(/^pulumi import .*$/m, "$& --generate-code=false")
      .replace("<id>", id)
      .replace(/=<.*>$/gm, "=any");

  for (const name of STORY.split(" "))
    it(`of docs/${name}.md do what it says`, async () => {
      for (const block of await blocksOf(`docs/${name}.md`)) {
        const [deployment] = await test.deployments();
        const own = withOwn(block, deployment?.id ?? "");
        await type(`pulumi stack select production\n${own}`, project.dir, environment);
      }
    });
});
