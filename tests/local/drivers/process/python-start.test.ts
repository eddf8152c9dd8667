import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { startPython } from "../../../../local/drivers/process/python/start";
import { Keeper } from "../../../../local/drivers/process/keeper/keeper";
import { rejection } from "../../../support/rejection";
import { aFolder, removeFolder } from "../../children";
import { makeVenv, type PythonSettings } from "./scripted-python";

const About = z.object({
  args: z.string().array(),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
});

const URL_OUTSIDE = "http://127.0.0.1:8123/agents/one";

describe("startPython", () => {
  let folder: string;
  let keeper: Keeper;
  let log: string[];

  beforeEach(async () => {
    folder = await aFolder();
    keeper = new Keeper(folder, 0.2);
    log = [];
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
    return startPython({
      keeper,
      signal: new AbortController().signal,
      limitSeconds: 600,
      config: await readGraphConfig(folder, "app/langgraph.json"),
      venv: await makeVenv(join(folder, "venv"), settings),
      url: URL_OUTSIDE,
      serverConfig: join(folder, "server.json"),
      environment: { PATH: process.env["PATH"], A: "variable" },
      log: (line) => log.push(line),
    });
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

  it("says in its log where others reach it, not on which port of this machine", async () => {
    await start();
    expect(log).to.include(`API Docs: ${URL_OUTSIDE}/docs`);
    expect(log.join("\n")).not.to.match(/127\.0\.0\.1:(?!8123)/);
  });

  it("gives the reason of a server that fails", async () => {
    const { message } = await rejection(start({ mode: "dies" }));
    expect(message).to.equal("the server exited with code 3: no module named x");
    expect(log).to.deep.equal(["no module named x"]);
  });
});
