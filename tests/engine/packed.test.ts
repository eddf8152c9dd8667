import { execFile } from "node:child_process";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import { startLocalPlatform } from "../../local";
import { blocksOf, type } from "../support/by-hand";
import { PROVIDER_TEXTS } from "../support/state";
import { describeLong } from "../support/tiers";

const run = promisify(execFile);

describeLong("the packed package, installed elsewhere", () => {
  let project: Project;

  before(async () => {
    project = await makeProject("agentserver-packed-");
    await install(project.dir);
  });
  after(() => project.remove());

  it("holds what a user needs and nothing else", async () => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json"], { cwd: REPOSITORY });
    const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
    const folders = files.map(({ path }) => /^(?:docs|examples|[^/]+\/[^/]+|.+)/.exec(path)?.[0]);
    const shipped =
      "CHANGELOG.md LICENSE README.md SECURITY.md package.json docs examples sdks/python " +
      "dist/cli dist/local dist/plugin dist/provider dist/sdk dist/settings dist/shared";
    expect([...new Set(folders)]).to.have.members(shipped.split(" "));
  });

  it("runs the first program of its README as it is, with what the README says to type, also where a later version came and went", async () => {
    const text = await readFile(join(REPOSITORY, "README.md"), "utf8");
    const [, prepare = "", , deploy = "", second = ""] = await blocksOf("README.md", "Start");
    const folder = join(project.dir, "shop");
    await mkdir(folder);
    await symlink("../node_modules", join(folder, "node_modules"));
    await writeFile(join(folder, "index.ts"), /```ts\n([^]*?)```/.exec(text)?.[1] ?? "");
    const dataDir = join(folder, ".agentserver");
    const platform = await startLocalPlatform({ dataDir, port: 0, agentServer: "built-in" });
    try {
      const printed = await type(prepare.replace(/^npm install.*$/m, "") + deploy, folder);
      expect(printed).to.contain("+ 2 created").and.contain('"variables":["LOG_LEVEL"]');
      const name = `$(npx pulumi-agentserver list | grep -o 'support-dev-[0-9a-f]*') --yes`;
      const own = second.replace("open  ", "open --no-browser").replace("<name>", name);
      const settings = deploy.split("\n").slice(0, 2).join("\n");
      // The first program's types were checked.
      const quick = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
      const typed = (commands: string) => type(`${settings}\n${commands}`, folder, quick);
      expect(await typed(own)).to.contain("✓ key: accepted");
      for (const version of ["99.0.0", undefined]) {
        await install(project.dir, version);
        expect(await typed("pulumi preview"), version).to.contain("2 unchanged");
      }
      expect(await typed("pulumi refresh && pulumi destroy")).to.contain("- 2 deleted");
    } finally {
      await platform.close();
    }
  });

  it("loads as CommonJS and as an ES module, by every name that it exports", async () => {
    const names = ["", "/native", "/sdk", "/local", "/provider/lifecycle"].map(
      (name) => `pulumi-agentserver${name}`,
    );
    const script = `
      const names = ${JSON.stringify(names)};
      names.forEach((name) => require(name));
      Promise.all(names.map((name) => import(name))).then((all) => console.log(all.map((one) => Object.keys(one).length > 1).join()));
    `;
    const { stdout } = await run(process.execPath, ["-e", script], { cwd: project.dir });
    expect(stdout.trim()).to.equal("true,true,true,true,true");
  });

  const folders = {
    "this repository's root": () => REPOSITORY,
    "an example in it": () => join(REPOSITORY, "examples/quickstart"),
    "a project that installed it": () => project.dir,
  };
  for (const [what, folder] of Object.entries(folders))
    for (const [kind, text] of Object.entries(PROVIDER_TEXTS))
      it(`is found from ${what} by the line that states keep of a ${kind}`, async () => {
        const script = `${text} console.log(Object.keys(exports.handler()).join());`;
        const { stdout } = await run(process.execPath, ["-e", script], { cwd: folder() });
        expect(stdout.trim()).to.equal("configure,check,diff,create,read,update,delete");
      });
});

/** As `npm install <tarball>` leaves it, except that what it depends on is not copied but found in this repository. */
async function install(dir: string, version?: string): Promise<void> {
  const pack = ["pack", "--json", "--pack-destination", dir];
  const { stdout } = await run("npm", pack, { cwd: REPOSITORY });
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
  const home = join(dir, "node_modules/pulumi-agentserver");
  await rm(home, { recursive: true });
  await run("tar", ["-xzf", join(dir, filename), "-C", dir]);
  await rename(join(dir, "package"), home);
  if (version !== undefined) await run("npm", ["pkg", "set", `version=${version}`], { cwd: home });
  await mkdir(join(home, "node_modules"));
  await writeFile(join(home, "node_modules/.keep"), "");
  const link = `for entry in "$0"/*; do ln -s "$entry" .; done`;
  const options = { cwd: join(home, "node_modules") };
  await run("sh", ["-c", link, join(REPOSITORY, "node_modules")], options);
}
