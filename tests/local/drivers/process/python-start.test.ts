import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { pythonCommand } from "../../../../local/drivers/process/python/start";
import { Keeper } from "../../../../local/drivers/process/keeper/keeper";
import { startServer } from "../../../../local/drivers/process/servers/server";
import { rejection } from "../../../support/rejection";
import { aFolder, removeFolder } from "../../children";
import { makeVenv, type PythonSettings } from "./scripted-python";

const About = z.object({
  args: z.string().array(),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
});

const URL_OUTSIDE = "http://127.0.0.1:8123/agents/one";

describe("pythonCommand", () => {
  let folder: string;
  let keeper: Keeper;

  beforeEach(async () => {
    folder = await aFolder();
    keeper = new Keeper(folder, 0.2);
    await mkdir(join(folder, "app"));
    await writeFile(
      join(folder, "app/langgraph.json"),
      JSON.stringify({ graphs: { agent: "./agent.py:graph" }, env: { A: "config" }, extra: 1 }),
    );
  });
  afterEach(async () => {
    await keeper.close();
    await removeFolder(folder);
  });

  async function start(settings?: PythonSettings) {
    const command = await pythonCommand({
      config: await readGraphConfig(folder, "app/langgraph.json"),
      environment: { PATH: process.env["PATH"], A: "variable" },
      record: { venv: await makeVenv(join(folder, "venv"), settings) },
      url: URL_OUTSIDE,
      serverConfig: join(folder, "server.json"),
    });
    const { signal } = new AbortController();
    return startServer({ keeper, signal, limitSeconds: 600, command });
  }

  it("starts the server on a free port, in the configuration's folder", async () => {
    const server = await start();
    const about = About.parse(await (await fetch(server.origin)).json());
    expect(about.args[1]).to.contain("langgraph_cli");
    expect(about.args.slice(2, 5)).to.deep.equal([URL_OUTSIDE, "dev", "--no-browser"]);
    expect(about.cwd).to.equal(join(folder, "app"));
    expect(about.env).to.include({ A: "variable", VIRTUAL_ENV: join(folder, "venv") });
    expect(about.env["PATH"]).to.match(new RegExp(`^${folder}/venv/bin:`));
  });

  it("gives it the configuration without its variables, which it would lay over the others", async () => {
    await start();
    expect(JSON.parse(await readFile(join(folder, "server.json"), "utf8"))).to.deep.equal({
      graphs: { agent: "./agent.py:graph" },
      env: {},
      extra: 1,
    });
  });

  it("gives the reason of a server that fails", async () => {
    const { message } = await rejection(start({ mode: "dies" }));
    expect(message).to.equal("the server exited with code 3: no module named x");
  });
});
