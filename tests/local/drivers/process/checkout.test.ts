import { mkdir, symlink, writeFile } from "node:fs/promises";
import { expect } from "chai";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { removeFolder, useFolder } from "../../children";
import { reasonOf as failureOf } from "../stage-failure";

const VALID = JSON.stringify({ graphs: { agent: "./agent.py:graph" } });

const INVALID = /'x.json' is not valid: /;
const NO_EXPORT = /'x.json' is not valid: . must be "<path>:<export>"\n.*graphs.agent$/;

describe("readGraphConfig", () => {
  const folder = useFolder();
  const checkout = (path = "") => folder("checkout", path);

  beforeEach(async () => {
    await mkdir(checkout("app"), { recursive: true });
    await writeFile(folder("secret.json"), VALID);
    // Its name begins as the checkout's does.
    await mkdir(folder("checkout-2"));
    await writeFile(folder("checkout-2/secret.json"), VALID);
  });

  async function reasonOf(path: string, text?: string): Promise<string> {
    if (text !== undefined) await writeFile(checkout(path), text);
    return failureOf(readGraphConfig(checkout(), path));
  }

  it("gives the graphs, the folder, a Python version without its image, and all that the configuration says, also by a link that stays inside", async () => {
    const graphs = { one: "./one.py:graph", two: { path: "./two.ts:graph", description: "x" } };
    const text = JSON.stringify({ graphs, env: ".env", python_version: "3.12-slim" });
    await writeFile(checkout("app/langgraph.json"), text);
    const config = await readGraphConfig(checkout(), "app/langgraph.json");
    expect(config.graphs).to.deep.equal({ one: "./one.py:graph", two: "./two.ts:graph" });
    const folders = { root: checkout(), folder: checkout("app") };
    expect(config).to.deep.include({ ...folders, env: ".env", pythonVersion: "3.12" });
    expect(config.file).to.equal(checkout("app/langgraph.json"));
    expect(config.content["env"]).to.equal(".env");
    await writeFile(checkout("app/real.json"), VALID);
    await symlink("app/real.json", checkout("langgraph.json"));
    const linked = await readGraphConfig(checkout(), "langgraph.json");
    expect(Object.keys(linked.graphs)).to.deep.equal(["agent"]);
  });

  for (const [what, text, reason] of [
    ["no graphs", "{}", INVALID],
    ["graphs that are a list", '{"graphs":[]}', INVALID],
    ["an empty list of graphs", '{"graphs":{}}', /"agent": "\.\/agent\.py:graph"/],
    ["a graph without an export", '{"graphs":{"agent":"./agent.py"}}', NO_EXPORT],
    ["a graph that is a number", '{"graphs":{"agent":1}}', NO_EXPORT],
    ["variables that are objects", `${VALID.slice(0, -1)},"env":{"A":{}}}`, INVALID],
    ["no object", "null", INVALID],
    ["broken JSON", "{", /'x.json' is not valid JSON: .*JSON/],
    ["what nobody sees", `\uFEFF${VALID}`, /'x.json' begins with a byte order mark;/],
  ] as const)
    it(`refuses ${what} and names the place`, async () => {
      expect(await reasonOf("x.json", text)).to.match(reason);
    });

  it("refuses what is missing, a folder or outside, and says so when the checkout is gone", async () => {
    expect(await reasonOf("none.json")).to.contain("not found in the repository; add it");
    expect(await reasonOf("app")).to.contain("'app' is not a file");
    const up = ["../secret.json", "app/../../secret.json", "../checkout-2/secret.json"];
    for (const path of [...up, "/etc/passwd"])
      expect(await reasonOf(path)).to.contain("is outside the repository;");
    await removeFolder(checkout());
    expect(await reasonOf("langgraph.json")).to.contain("the checkout is missing (ENOENT);");
  });

  it("refuses a link that leads out, of the file or of its folder, and does not read more than 1 MiB", async () => {
    await symlink("../secret.json", checkout("file.json"));
    await symlink("..", checkout("up"));
    await symlink("../checkout-2", checkout("beside"));
    for (const path of ["file.json", "up/secret.json", "beside/secret.json"])
      expect(await reasonOf(path)).to.contain(`'${path}' is a link that leads out of`);
    const text = `${VALID.slice(0, -1)},"note":"${"x".repeat(1024 * 1024)}"}`;
    expect(await reasonOf("large.json", text)).to.match(
      /'large.json': it has 2 MiB, at most 1 MiB are read;/,
    );
  });
});
