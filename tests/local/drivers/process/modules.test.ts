import { lstat, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { linkModules } from "../../../../local/drivers/process/javascript/install";
import { aFolder, removeFolder } from "../../children";

describe("local/drivers/process/javascript/install node_modules of the cache", () => {
  let folder: string;
  let from: string;
  let to: string;

  beforeEach(async () => {
    folder = await aFolder();
    from = join(folder, "cache/node_modules");
    to = join(folder, "checkout/node_modules");
    for (const path of ["one/index.js", "@scope/two/index.js", ".bin/one", ".modules.yaml"]) {
      await mkdir(dirname(join(from, path)), { recursive: true });
      await writeFile(join(from, path), path);
    }
    await mkdir(join(folder, "checkout/packages/mine"), { recursive: true });
    await writeFile(join(folder, "checkout/packages/mine/index.js"), "mine");
    await symlink("../packages/mine", join(from, "mine"));
    await symlink("../../packages/mine", join(from, "@scope/mine"));
  });
  afterEach(() => removeFolder(folder));

  it("are linked package by package, and lead to the checkout's own packages where they did", async () => {
    await linkModules(from, to);
    for (const path of ["one/index.js", "@scope/two/index.js", ".bin/one", ".modules.yaml"])
      expect(await readFile(join(to, path), "utf8")).to.equal(path);
    expect(await readlink(join(to, "one"))).to.equal(join(from, "one"));
    expect((await lstat(join(to, "@scope"))).isDirectory()).to.equal(true);
    for (const path of ["mine/index.js", "@scope/mine/index.js"])
      expect(await readFile(join(to, path), "utf8")).to.equal("mine");
  });
});
