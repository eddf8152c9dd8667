import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server as TcpServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { readGraphConfig } from "../../../../local/drivers/process/checkout";
import { isFree, takePort } from "../../../../local/drivers/process/python/port";
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
  let other: TcpServer;
  let taken: number;
  let log: string[];

  beforeEach(async () => {
    folder = await aFolder();
    keeper = new Keeper(folder, 0.2);
    log = [];
    taken = await takePort();
    other = createServer().listen(taken, "127.0.0.1");
    await once(other, "listening");
    await mkdir(join(folder, "app"));
    await writeFile(
      join(folder, "app/langgraph.json"),
      JSON.stringify({ graphs: { agent: "./agent.py:graph" }, env: { A: "config" }, extra: 1 }),
    );
  });
  afterEach(async () => {
    await keeper.close();
    other.close();
    await removeFolder(folder);
  });

  /** Starts on the first of the ports that is left, and on a free one after those. */
  async function start(ports: number[] = [], settings?: PythonSettings) {
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
      choosePort: async () => ports.shift() ?? takePort(),
    });
  }
  const portOf = ({ origin }: { origin: string }) => Number(new URL(origin).port);

  it("starts the server on the given port, in the configuration's folder", async () => {
    const free = await takePort();
    const server = await start([free]);
    expect(portOf(server)).to.equal(free);
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

  it("starts it on another port when it moves, as its own is taken", async () => {
    const server = await start([taken]);
    expect(portOf(server)).to.not.equal(taken);
    expect(log).to.include("the server's port is in use; trying another one");
  });

  it("starts it on another port when that is taken at the last moment", async () => {
    const server = await start([taken], { mode: "hasty" });
    expect(portOf(server)).to.not.equal(taken);
  });

  it("tries again when it has moved, though its port is free again by then", async () => {
    expect((await rejection(start([], { mode: "moves" }))).message).to.contain(
      "the server moved to port",
    );
    expect(log.filter((line) => line.endsWith("trying another one"))).to.have.length(2);
  });

  it("gives up after three ports, and leaves no server behind", async () => {
    const { message } = await rejection(start([taken, taken, taken]));
    expect(message).to.match(
      new RegExp(
        `^the server failed to start: port ${taken} is in use, and the server moved to port \\d+$`,
      ),
    );
    const moved = Number(/\d+$/.exec(message)?.[0]);
    expect(await isFree(moved)).to.equal(true);
  });

  it("does not start a server again that fails by itself", async () => {
    const { message } = await rejection(start([], { mode: "dies" }));
    expect(message).to.equal("the server exited with code 3: no module named x");
    expect(log).to.deep.equal(["no module named x"]);
  });
});

describe("takePort", () => {
  it("gives each port once, below those that the system gives out", async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, takePort));
    expect(new Set(ports).size).to.equal(20);
    for (const port of ports) expect(port).to.be.within(20_000, 32_767);
  });
});
