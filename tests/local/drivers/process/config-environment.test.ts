import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { configEnvironment } from "../../../../local/drivers/process/config-environment";
import { rejection } from "../../../support/rejection";
import { aFolder, removeFolder } from "../../children";

describe("configEnvironment", () => {
  let folder: string;
  let checkout: string;

  beforeEach(async () => {
    folder = await aFolder();
    checkout = join(folder, "checkout");
    await mkdir(join(checkout, "app"), { recursive: true });
    await writeFile(join(folder, "outside.env"), "A=outside");
  });
  afterEach(() => removeFolder(folder));

  async function variables(env?: unknown) {
    const graphs = { agent: "./agent.mjs:graph" };
    await writeFile(join(checkout, "app/langgraph.json"), JSON.stringify({ graphs, env }));
    return configEnvironment(await readGraphConfig(checkout, "app/langgraph.json"));
  }

  it("is empty when the configuration says nothing", async () => {
    expect(await variables()).to.deep.equal({});
  });

  it("is what the configuration lists", async () => {
    expect(await variables({ A: "1", B: "two words" })).to.deep.equal({ A: "1", B: "two words" });
  });

  it("is what a file says, beside the configuration or elsewhere in the repository", async () => {
    await writeFile(join(checkout, "app/.env"), "A=1\n# a comment\nexport B='two words'\n");
    await writeFile(join(checkout, "shared.env"), "C=3\n");
    expect(await variables(".env")).to.deep.equal({ A: "1", B: "two words" });
    expect(await variables("../shared.env")).to.deep.equal({ C: "3" });
  });

  it("is empty when there is no such file, as most hold secrets and are kept out", async () => {
    expect(await variables(".env")).to.deep.equal({});
  });

  it("is not read from outside of the repository, by a path or by a link", async () => {
    await symlink("../../outside.env", join(checkout, "app/link.env"));
    for (const env of ["../../outside.env", "/etc/environment", "link.env"])
      expect((await rejection(variables(env))).message).to.equal(
        `"env": "${env}" in the graph configuration is outside the repository; use a path inside it`,
      );
  });

  it("fails with the reason when the file can't be read", async () => {
    await mkdir(join(checkout, "app/folder"));
    expect((await rejection(variables("folder"))).message).to.equal(
      `cannot read "env": "folder" in the graph configuration: EISDIR`,
    );
  });
});
