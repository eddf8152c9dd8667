import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { arch, platform as os } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { REPOSITORY } from "../../../scripts/project";
import { PLUGIN, useLanguage } from "../../support/language-stack";
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
  const made = useLanguage("YAML", { "Pulumi.yaml": PROGRAM });
  let archive: string;

  before(async () => {
    const { stdout } = await run("npm", ["run", "--silent", "package"], { cwd: REPOSITORY });
    const name = `${os()}-${ARCHITECTURES[arch()] ?? arch()}.tar.gz`;
    archive = stdout.split("\n").find((path) => path.endsWith(name)) ?? "";
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
    const { stack } = made();
    const plugin = ["resource", "agentserver", version, "--file", archive];
    await stack.done("pulumi", "plugin", "install", ...plugin);
    expect(await stack.done("pulumi", "plugin", "ls")).to.match(/agentserver +resource +\d/);
    expect(await stack.done("pulumi", "up")).to.contain("+ 2 created");
    expect(await stack.outputs()).to.have.property("url");
    expect(await stack.done("pulumi", "preview")).to.contain("2 unchanged");
    expect(await stack.done("pulumi", "destroy")).to.contain("- 2 deleted");
  });
});

describeLong("the folder of the plugin in the package", () => {
  const made = useLanguage("YAML", { "Pulumi.yaml": PROGRAM });

  it("is added to a project by `pulumi package add`, and its program runs", async () => {
    const { stack } = made();
    await stack.done("pulumi", "package", "add", PLUGIN);
    const project = await readFile(join(stack.project.dir, "Pulumi.yaml"), "utf8");
    expect(project).to.contain(`agentserver: ${PLUGIN}`);
    expect(await stack.done("pulumi", "up")).to.contain("+ 2 created");
    expect(await stack.done("pulumi", "destroy")).to.contain("- 2 deleted");
  });
});
