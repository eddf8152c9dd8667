import { mkdir, symlink, writeFile } from "node:fs/promises";
import { expect } from "chai";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { configEnvironment } from "../../../../local/drivers/process/config-environment";
import { reasonOf, rejection } from "../../../support/rejection";
import { useFolder } from "../../children";
import { useKeeper } from "./keeper/use-keeper";

/** Stands in for the library of that name: it says which file it was given. */
const DOTENV = `exports.parse = (text) => (text === "broken" ? broken : { READ: text.trim() });`;

describe("configEnvironment", () => {
  const folder = useFolder();
  const keeper = useKeeper(folder);
  beforeEach(async () => {
    await mkdir(folder("checkout/app"), { recursive: true });
    await mkdir(folder("server/node_modules/dotenv"), { recursive: true });
    await writeFile(folder("server/node_modules/dotenv/index.js"), DOTENV);
    await writeFile(folder("outside.env"), "A=outside");
  });

  async function variables(env?: unknown, runtime: "javascript" | "python" = "javascript") {
    const graphs = { agent: "./agent.mjs:graph" };
    await writeFile(folder("checkout/app/langgraph.json"), JSON.stringify({ graphs, env }));
    const kind =
      runtime === "python"
        ? { runtime, venv: "" }
        : { runtime, server: folder("server/server.mjs"), isOwn: true };
    return configEnvironment(await readGraphConfig(folder("checkout"), "app/langgraph.json"), {
      keeper,
      signal: new AbortController().signal,
      record: { ...kind, caches: [] },
      environment: { PATH: process.env["PATH"] },
    });
  }

  it("is what the configuration lists, numbers and booleans as the public tools write them; nothing where it names a file outside, as most hold secrets", async () => {
    const env = { A: "two words", B: 1, C: true };
    expect(await variables(env)).to.deep.equal({ A: "two words", B: "1", C: "true" });
    expect(await variables(env, "python")).to.deep.equal({ A: "two words", B: "1", C: "True" });
    for (const none of [undefined, ["A", "B"], ".env", "../../outside.env", "/etc/environment"])
      expect(await variables(none)).to.deep.equal({});
  });

  it("is what the server's own library reads in a file, beside the configuration or elsewhere", async () => {
    await writeFile(folder("checkout/app/.env"), "A=1\n");
    await writeFile(folder("checkout/shared.env"), "C=3\n");
    expect(await variables(".env")).to.deep.equal({ READ: "A=1" });
    expect(await variables("../shared.env")).to.deep.equal({ READ: "C=3" });
  });

  it("is not read through a link that leads out, and fails with what to do when the file can't be read", async () => {
    await symlink("../../outside.env", folder("checkout/app/link.env"));
    const { message } = await rejection(variables("link.env"));
    expect(message).to.match(/^"env": "link.env" .* is a link that leads out/);
    await writeFile(folder("checkout/app/.env"), "broken");
    for (const [env, reason] of [
      [".env", /^cannot read "env": ".env" .*; save it as UTF-8/],
      ["../app", /^"env": "..\/app" .* is not a file$/],
    ] as const)
      expect(await reasonOf(variables(env))).to.match(reason);
  });
});
