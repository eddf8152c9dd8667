import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Servers } from "../../../scripts/bench/servers";
import { rejection } from "../../support/rejection";
import { isAlive } from "../processes";

describe("the servers of a bench", () => {
  const stop = new AbortController();
  let servers: Servers;
  beforeEach(async () => {
    servers = await Servers.open(stop.signal);
  });
  afterEach(() => servers.close());

  const script = (text: string) => {
    const path = join(servers.folder, "server.js");
    writeFileSync(path, text);
    return path;
  };
  const listening = 'console.log(process.argv[2] ?? `{"port":1}`); setInterval(() => {}, 1000);';

  it("are known by the line they print", async () => {
    const server = await servers.start(script(listening), '{"port":8123,"apiKey":"key","more":1}');
    expect(server).to.include({ port: 8123, apiKey: "key" });
    expect(isAlive(server.pid)).to.equal(true);
  });

  it("are all gone with their folder after close", async () => {
    const path = script(listening);
    const pids = [(await servers.start(path)).pid, (await servers.start(path)).pid];
    await servers.close();
    expect(pids.filter(isAlive)).to.deep.equal([]);
    expect(existsSync(servers.folder)).to.equal(false);
  });

  it("are ended one by one", async () => {
    const server = await servers.start(script(listening));
    await server.stop();
    expect(isAlive(server.pid)).to.equal(false);
    await server.stop();
  });

  it("fail to start when they end before they listen", async () => {
    const { message } = await rejection(servers.start(script("process.exit(3)")));
    expect(message).to.match(/server\.js ended before it listened$/);
  });

  it("are not waited for any longer after an abort", async () => {
    const giveUp = new AbortController();
    const abortable = await Servers.open(giveUp.signal);
    try {
      const starting = rejection(abortable.start(script("setInterval(() => {}, 1000)")));
      giveUp.abort(new Error("stopped"));
      expect((await starting).message).to.equal("stopped");
    } finally {
      await abortable.close();
    }
  });
});
