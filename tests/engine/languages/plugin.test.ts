import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { arch, platform as os } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { needYamlHost } from "../../support/languages";
import { LanguageStack, PLUGIN } from "../../support/language-stack";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeLong } from "../../support/tiers";

const run = promisify(execFile);

const PROGRAM = `name: shop
runtime: yaml
resources:
  support:
    type: agentserver:Deployment
    properties:
      source: external_container
      sourceRevisionConfig: { imageUri: "registry.example.com/support:1" }
outputs:
  url: \${support.url}
`;

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(REPOSITORY, "package.json"), "utf8"),
);
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

describeLong("the archive of `npm run package`", () => {
  let test: TestPlatform;
  let stack: LanguageStack;
  let archive: string;

  before(async function () {
    const host = await needYamlHost(this);
    test = await startTestPlatform();
    stack = await LanguageStack.create({
      files: { "Pulumi.yaml": PROGRAM },
      platform: test.platform,
      path: [host],
    });
    const { stdout } = await run("npm", ["run", "--silent", "package"], { cwd: REPOSITORY });
    const name = `${os()}-${ARCHITECTURES[arch()] ?? arch()}.tar.gz`;
    archive = stdout.split("\n").find((path) => path.endsWith(name)) ?? "";
  });
  after(async () => {
    await stack?.remove();
    await test?.close();
  });

  it("holds the provider, its launchers, its schema and the licences of what is bundled", async () => {
    const { stdout } = await run("tar", ["-tvzf", archive]);
    const files = stdout.trim().split("\n");
    expect(files.map((line) => line.split(" ").at(-1))).to.have.members([
      "LICENSE",
      "THIRD-PARTY-LICENSES.txt",
      "provider.cjs",
      "pulumi-resource-agentserver",
      "pulumi-resource-agentserver.cmd",
      "schema.json",
    ]);
    expect(files.find((line) => line.endsWith(" pulumi-resource-agentserver"))).to.match(
      /^-rwxr-xr-x/,
    );
  });

  it("is installed by the CLI, which then runs a program without a path to it", async () => {
    await stack.done(
      "pulumi",
      "plugin",
      "install",
      "resource",
      "agentserver",
      version,
      "--file",
      archive,
    );
    expect(await stack.done("pulumi", "plugin", "ls")).to.match(/agentserver +resource +\d/);
    expect(await stack.done("pulumi", "up")).to.contain("+ 2 created");
    expect(await stack.outputs()).to.have.property("url");
    expect(await stack.done("pulumi", "preview")).to.contain("2 unchanged");
    expect(await stack.done("pulumi", "destroy")).to.contain("- 2 deleted");
  });

  it("shows its schema to the CLI", async () => {
    const schema = JSON.parse(await stack.done("pulumi", "package", "get-schema", "agentserver"));
    expect(schema).to.include({ name: "agentserver", version });
    expect(Object.keys(schema.resources)).to.include("agentserver:index:Deployment");
  });
});

describeLong("the folder of the plugin in the package", () => {
  let test: TestPlatform;
  let stack: LanguageStack;

  before(async function () {
    const host = await needYamlHost(this);
    test = await startTestPlatform();
    const files = { "Pulumi.yaml": PROGRAM };
    stack = await LanguageStack.create({ files, platform: test.platform, path: [host] });
  });
  after(async () => {
    await stack?.remove();
    await test?.close();
  });

  it("is added to a project by `pulumi package add`, and its program runs", async () => {
    await stack.done("pulumi", "package", "add", PLUGIN);
    const project = await readFile(join(stack.project.dir, "Pulumi.yaml"), "utf8");
    expect(project).to.contain(`agentserver: ${PLUGIN}`);
    expect(await stack.done("pulumi", "up")).to.contain("+ 2 created");
    expect(await stack.done("pulumi", "destroy")).to.contain("- 2 deleted");
  });
});
