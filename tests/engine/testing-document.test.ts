import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { makeProject, makePulumiProject, type Project, REPOSITORY } from "../../scripts/project";
import { describeNightly } from "../support/tiers";

const run = promisify(execFile);

/** Types are checked by the runner. Node 20.20 takes half a minute to colour a stack trace that leads through Pulumi's sources. */
const QUICK = { PULUMI_NODEJS_TRANSPILE_ONLY: "true", NODE_OPTIONS: "--stack-trace-limit=1" };

/** A program as the document's tests expect it. */
const PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";
new agentserver.Deployment("support", {
  source: "git_host",
  sourceConfig: {
    integrationId: agentserver.getIntegrationOutput().id,
    repoUrl: "https://git.example.com/acme/support.git",
    deploymentType: "dev",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  env: { LOG_LEVEL: new pulumi.Config().require("logLevel") },
});
`;

describeNightly("the tests that docs/testing.md shows", () => {
  let project: Project;
  let document = "";

  const blockOf = (language: string, chapter: string) => {
    const [, after = ""] = document.split(`## ${chapter}\n`);
    const [, block = ""] = after.split(`\`\`\`${language}\n`);
    return block.split("```")[0] ?? "";
  };
  /** Runs a command of the document in the project. */
  const type = async (command: string) => {
    const PATH = `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`;
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
    const env = { ...environment, ...project.environment, ...QUICK, PATH };
    const typed = run("sh", ["-c", command], { cwd: project.dir, env });
    const { stdout } = await typed.catch(({ stdout: printed, stderr }) => {
      throw new Error(`${command} failed:\n${printed}${stderr}`);
    });
    return stdout;
  };
  const commandOf = (runner: string) =>
    new RegExp(`^\\| ${runner} \\| \`([^\`]+)\``, "m").exec(document)?.[1] ?? "";

  before(async () => {
    document = await readFile(join(REPOSITORY, "docs/testing.md"), "utf8");
    project = await makeProject("agentserver-testing-");
    await makePulumiProject(project, "support");
    const test = blockOf("ts", "Test on the local platform");
    await writeFile(join(project.dir, "index.ts"), PROGRAM);
    await writeFile(
      join(project.dir, "tsconfig.json"),
      blockOf("json", "Test on the local platform"),
    );
    await writeFile(join(project.dir, "agent.test.ts"), test);
  });
  after(() => project.remove());

  it("pass with Node's runner, and pass again with what the first run has left", async () => {
    for (const attempt of ["first", "second"]) {
      const printed = await type(commandOf("Node"));
      expect(printed, attempt).to.match(/^. pass 2$/m);
    }
  });

  it("pass with mocha", async () => {
    const file = join(project.dir, "agent.test.ts");
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace(/^import .* from "node:test";\n/m, "").replaceAll(/^test\(/gm, "it("),
    );
    const config = await readFile(join(project.dir, "tsconfig.json"), "utf8");
    await writeFile(
      join(project.dir, "tsconfig.json"),
      config.replace('"types": ["node"]', '"types": ["node", "mocha"]'),
    );
    const mocha = commandOf("mocha").replace("npx mocha", "mocha --no-config");
    expect(
      await type(`${mocha} --require "${join(REPOSITORY, "node_modules/ts-node/register")}"`),
    ).to.contain("2 passing");
  });
});
