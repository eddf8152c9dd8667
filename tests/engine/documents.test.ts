import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { makeProject, makePulumiProject, type Project, REPOSITORY } from "../../scripts/project";
import { type } from "../support/by-hand";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeNightly } from "../support/tiers";

/** Documents whose commands make one story in one folder, and what each prints in the end. */
const STORY = {
  "docs/installation-configuration.md": "",
  "docs/real-service.md": "+ 2 to create",
  "docs/settings.md": "",
  "docs/production.md": "+ 2 created",
  "docs/ci.md": "The resources in the stack have been deleted",
  "docs/local-platform.md": "",
  "docs/import.md": "1 deployment",
  "docs/native.md": "1 imported",
};

/** Commands that cannot be typed here. */
const LEFT_OUT = [
  // Nothing is released yet.
  "pulumi plugin install resource agentserver <version>\n",
  // Runs until it is stopped: the story has one already.
  "npx pulumi-agentserver local\n",
  // The folder has no package-lock.json.
  "npm ci\n",
];

/** As docs/native.md says. */
const PLUGINS = `plugins:
  providers: [{ name: agentserver, path: node_modules/pulumi-agentserver/dist/plugin }]
`;

const PREPARED = `git init --quiet && git add index.ts
pulumi stack init production
pulumi config set repoUrl https://git.example.com/acme/support.git
pulumi config set --secret modelApiKey not-a-real-key
git add Pulumi.production.yaml
git -c user.name=a -c user.email=a@example.com commit --quiet --message "a release"`;

describeNightly("the commands of the documents, typed in their order", () => {
  let test: TestPlatform;
  let project: Project;

  before(async () => {
    project = await makeProject("agentserver-documents-", ["examples/quickstart/index.ts"]);
    await makePulumiProject(project, "quickstart");
    await appendFile(join(project.dir, "Pulumi.yaml"), PLUGINS);
    test = await startTestPlatform({
      dataDir: join(project.dir, ".agentserver"),
      dialect: "langsmith",
    });
    await type(PREPARED, project.dir, project.environment);
  });
  after(async () => {
    await test.close();
    await project.remove();
  });

  const environment = () => ({
    ...project.environment,
    AGENTSERVER_BASE_URL: test.platform.url,
    AGENTSERVER_DIALECT: "langsmith",
    AGENTSERVER_WORKSPACE_ID: test.platform.workspaceId,
    AGENTSERVER_API_KEY: test.platform.apiKey,
    NUMBER: "17",
  });

  /** What stands in a document for the reader's own. */
  async function withOwn(block: string): Promise<string> {
    const { platform } = test;
    const [deployment] = await test.deployments();
    const own = {
      "https://api.host.langchain.com": platform.url,
      "https://langsmith.example.com": platform.url,
      "<baseUrl>": platform.url,
      "<dialect>": "langsmith",
      "<workspaceId>": platform.workspaceId,
      "<id of the workspace>": platform.workspaceId,
      "<apiKey>": platform.apiKey,
      "<commit of the release>": "HEAD",
      "<id>": deployment?.id ?? "",
      "--secret agentserver:apiKey\n": `--secret agentserver:apiKey <<<${platform.apiKey}\n`,
    };
    return Object.entries({
      ...own,
      ...Object.fromEntries(LEFT_OUT.map((line) => [line, ""])),
    }).reduce((text, [theirs, mine]) => text.replaceAll(theirs, mine), block);
  }

  for (const [path, end] of Object.entries(STORY))
    it(`of ${path} do what it says`, async () => {
      const text = await readFile(join(REPOSITORY, path), "utf8");
      let printed = "";
      for (const [, block = ""] of text.matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
        printed += await type(await withOwn(block), project.dir, environment());
      }
      expect(printed).to.contain(end);
    });
});
