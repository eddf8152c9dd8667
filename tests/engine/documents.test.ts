import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { makeProject, makePulumiProject, type Project } from "../../scripts/project";
import { documentLines } from "../repository/documents";
import { blocksOf, type } from "../support/by-hand";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { describeNightly } from "../support/tiers";

/** Documents, or chapters of them, whose commands make one story in one folder. */
const STORY = [
  "docs/installation-configuration.md",
  "docs/real-service.md",
  "README.md#On the cloud",
  "sdks/python.md",
  "docs/settings.md",
  "docs/production.md",
  "docs/ci.md",
  "docs/local-platform.md",
  "docs/import.md",
  "docs/native.md",
];

/** Where the commands of the others are typed, or why they are not. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "README.md":
    "tests/engine/packed.test.ts; not `npm run demo` and `npm test`, which run the tests",
  "CONTRIBUTING.md": "not typed: they install all and run all tests",
  "docs/reference/": "tests/engine/languages/examples.test.ts",
  "examples/assistants/": "tests/engine/assistants.test.ts",
  "examples/conversation-fixture/": "tests/engine/conversation-fixture.test.ts",
  "examples/fleet/": "tests/engine/fleet.test.ts",
  "examples/multi-environment/": "tests/engine/multi-environment.test.ts",
  "examples/python/": 'tests/engine/by-hand.test.ts; not the installs of "Use it"',
  "examples/quickstart/": "tests/engine/by-hand.test.ts",
  "examples/self-hosted/": "tests/engine/self-hosted.test.ts",
  "examples/yaml/": "tests/engine/by-hand.test.ts",
  "sdks/python/": "copies of sdks/python.md",
};

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
      .replace(/^(pulumi plugin .*|pip .*|npx pulumi-agentserver local|npm ci)$/m, "")
      .replace(/https:\/\/(api\.host\.langchain|langsmith\.example)\.com/, test.platform.url)
      .replace(/<(workspaceId|id of the workspace)>/, test.platform.workspaceId)
      .replace(/--secret agentserver:apiKey$/m, `$& <<<${test.platform.apiKey}`)
      .replace(/--secret modelApiKey$/m, "$& <<<not-a-real-key")
      .replace("pulumi stack init cloud", "$& --copy-config-from production")
      .replace("<commit of the release>", "HEAD")
      .replace("from staging", "from production")
      // Not every language host here prints a program.
      .replace(/^pulumi import .*$/m, "$& --generate-code=false")
      .replace("<id>", id)
      .replace(/=<.*>$/gm, "=any");

  for (const name of STORY)
    it(`of ${name} do what it says`, async () => {
      const [path = "", chapter] = name.split("#");
      for (const block of await blocksOf(path, chapter)) {
        const [deployment] = await test.deployments();
        const own = withOwn(block, deployment?.id ?? "");
        await type(`pulumi stack select production\n${own}`, project.dir, environment);
      }
    });

  it("are typed, here or where the table says", () => {
    const paths = documentLines().flatMap(({ text, path }) => (text === "```sh" ? [path] : []));
    const known = [...STORY.map((name) => name.split("#")[0] ?? ""), ...Object.keys(ELSEWHERE)];
    expect(paths.filter((path) => !known.some((one) => path.startsWith(one)))).to.deep.equal([]);
  });

  it("have subcommands and options that exist, also where a sentence names them", async () => {
    const named = documentLines()
      .flatMap(({ text }) => [...text.matchAll(/`([^`]+)`/g)])
      .map(([, code = ""]) => code.replaceAll(/<[^>]*>|…/g, "x"))
      .filter((code) => /^(?:npx )?pulumi(?:-agentserver)? (?!do\b)/.test(code));
    const wrong: string[] = [];
    for (const command of new Set(named)) {
      const help = await type(`${command} x --help`, project.dir, environment).catch(String);
      const [, usage = ""] = /Usage:\s+([a-z-]+(?: [a-z-]+)*)/.exec(help) ?? [];
      const rest = command.replace("npx ", "").replace(usage, "");
      const isLess = usage === "" || (/\[command\]/.test(help) && /^ [a-wyz]/.test(rest));
      if (isLess) wrong.push(`${command}: ${/error: .*/.exec(help)?.[0]}`);
    }
    expect(wrong).to.deep.equal([]);
  });
});

describeNightly("the test of docs/testing.md", () => {
  const document = "docs/testing.md";
  const ROWS = {
    Node: (text: string) => text,
    mocha: (text: string) => text.replace(/.*"node:test";\n/, "").replaceAll(/^test\(/gm, "it("),
  };
  for (const [runner, toOwn] of Object.entries(ROWS))
    it(`passes with ${runner}, in the folder of a program`, async () => {
      const project = await makeProject("agentserver-testing-");
      const write = (name: string, text = "") => writeFile(join(project.dir, name), text);
      await makePulumiProject(project, "shop");
      const [program = ""] = await blocksOf("README.md", undefined, "ts");
      const level = 'new (require("@pulumi/pulumi").Config)().require("logLevel")';
      await write("index.ts", program.replace('"info"', level));
      const [, test = ""] = await blocksOf(document, undefined, "ts");
      await write("agent.test.ts", toOwn(test));
      const [settings = ""] = await blocksOf(document, undefined, "json");
      const types = runner === "Node" ? '["node"]' : `["node", "${runner}"]`;
      await write("tsconfig.json", settings.replace('["node"]', types));
      const [row] = documentLines().filter(
        ({ path, text }) => path === document && text.startsWith(`| ${runner} |`),
      );
      const [, command = ""] = /`([^`]+)`/.exec(row?.text ?? "") ?? [];
      for (const [, tool] of command.matchAll(/(?:npx|--require) ([\w-]+)/g))
        expect(row?.text).to.match(new RegExp(`npm install --save-dev .*\\b${tool}\\b`));
      expect(await type(command, project.dir, project.environment)).to.match(/pass 2|2 passing/);
      await project.remove();
    });
});
