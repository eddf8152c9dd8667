import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { StageFailure } from "../../../../local/drivers/driver";
import { aFolder, removeFolder } from "../../children";

const VALID = JSON.stringify({ graphs: { agent: "./agent.py:graph" } });

describe("readGraphConfig", () => {
  let folder: string;
  let checkout: string;

  beforeEach(async () => {
    folder = await aFolder();
    checkout = join(folder, "checkout");
    await mkdir(join(checkout, "app"), { recursive: true });
    await writeFile(join(folder, "secret.json"), VALID);
    // Its name begins as the checkout's does.
    await mkdir(join(folder, "checkout-2"));
    await writeFile(join(folder, "checkout-2/secret.json"), VALID);
  });
  afterEach(() => removeFolder(folder));

  async function reasonOf(path: string, text?: string): Promise<string> {
    if (text !== undefined) await writeFile(join(checkout, path), text);
    const error = await readGraphConfig(checkout, path).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StageFailure);
    return error instanceof StageFailure ? error.message : "";
  }

  it("gives the graphs, the folder and all that the configuration says", async () => {
    const graphs = { one: "./one.py:graph", two: { path: "./two.ts:graph", description: "x" } };
    await writeFile(join(checkout, "app/langgraph.json"), JSON.stringify({ graphs, env: ".env" }));
    const config = await readGraphConfig(checkout, "app/langgraph.json");
    expect(config.graphs).to.deep.equal({ one: "./one.py:graph", two: "./two.ts:graph" });
    expect(config).to.deep.include({ root: checkout, folder: join(checkout, "app"), env: ".env" });
    expect(config).to.deep.include({ pythonVersion: undefined });
    expect(config.file).to.equal(join(checkout, "app/langgraph.json"));
    expect(config.content["env"]).to.equal(".env");
  });

  it("follows a link that stays inside the repository", async () => {
    await writeFile(join(checkout, "app/real.json"), VALID);
    await symlink("app/real.json", join(checkout, "langgraph.json"));
    const config = await readGraphConfig(checkout, "langgraph.json");
    expect(Object.keys(config.graphs)).to.deep.equal(["agent"]);
  });

  it("says what to do when the file is missing", async () => {
    expect(await reasonOf("langgraph.json")).to.contain(
      "'langgraph.json' not found in the repository; add it, or set its path",
    );
  });

  it("says that the configuration is a folder", async () => {
    expect(await reasonOf("app")).to.contain("graph configuration 'app' is not a file");
  });

  it("says where the JSON is broken", async () => {
    expect(await reasonOf("x.json", "{")).to.match(/'x.json' is not valid JSON: .*JSON/);
  });

  for (const [what, text] of Object.entries({
    "no graphs": "{}",
    "graphs that are a list": '{"graphs":[]}',
    "a graph without an export": '{"graphs":{"agent":"./agent.py"}}',
    "variables that are objects": '{"graphs":{"agent":"./agent.py:graph"},"env":{"A":{}}}',
    "no object": "null",
  }))
    it(`refuses ${what} and names the place`, async () => {
      expect(await reasonOf("x.json", text)).to.contain("'x.json' is not valid: ");
    });

  it("says that a byte order mark is there, which nobody sees", async () => {
    expect(await reasonOf("x.json", `\uFEFF${VALID}`)).to.contain(
      "'x.json' begins with a byte order mark; save it as UTF-8 without one",
    );
  });

  it("takes a Python version with the name of an image", async () => {
    await writeFile(
      join(checkout, "langgraph.json"),
      JSON.stringify({ graphs: { agent: "./agent.py:graph" }, python_version: "3.12-slim" }),
    );
    const { pythonVersion } = await readGraphConfig(checkout, "langgraph.json");
    expect(pythonVersion).to.equal("3.12");
  });

  it("refuses an empty list of graphs and shows an example", async () => {
    expect(await reasonOf("x.json", '{"graphs":{}}')).to.contain('"agent": "./agent.py:graph"');
  });

  for (const path of [
    "../secret.json",
    "app/../../secret.json",
    "../checkout-2/secret.json",
    "/etc/passwd",
  ])
    it(`refuses ${path}, which lies outside`, async () => {
      expect(await reasonOf(path)).to.contain("is outside the repository; set a path inside it");
    });

  it("refuses a link that leads out, of the file or of its folder", async () => {
    await symlink("../secret.json", join(checkout, "file.json"));
    await symlink("..", join(checkout, "up"));
    await symlink("../checkout-2", join(checkout, "beside"));
    for (const path of ["file.json", "up/secret.json", "beside/secret.json"])
      expect(await reasonOf(path)).to.equal(
        `graph configuration '${path}' is a link that leads out of the repository; commit the file itself`,
      );
  });

  it("does not read one that is larger than 1 MiB", async () => {
    const text = `{"graphs":{"agent":"./agent.py:graph"},"note":"${"x".repeat(1024 * 1024)}"}`;
    expect(await reasonOf("large.json", text)).to.equal(
      "cannot read graph configuration 'large.json': it has 2 MiB, at most 1 MiB are read; make it smaller",
    );
  });

  it("says that the checkout is gone", async () => {
    await removeFolder(checkout);
    expect(await reasonOf("langgraph.json")).to.contain(
      "the checkout is missing (ENOENT); create a new revision",
    );
  });
});
