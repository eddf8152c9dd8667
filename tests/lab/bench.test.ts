import { expect } from "chai";
import { measureAgents } from "../../lab/bench/agents";
import { measureEngine } from "../../lab/bench/engine";
import { measureFire } from "../../lab/bench/fire";
import { measureLocal } from "../../lab/bench/local";
import { Run } from "../../lab/bench/run";
import { format, type Table } from "../../lab/bench/table";
import { describeNightly } from "../support/tiers";

/** The names of the rows of each table that a bench ends with. */
async function rowsOf(measure: (run: Run) => Promise<Table[]>) {
  const { signal } = new AbortController();
  const tables = await Run.with({ signal, say: () => undefined }, measure);
  const printed = tables.map(format).join("\n");
  expect(printed).to.match(/\d/).and.not.contain("not known here");
  return tables.map(({ title, rows }) => ({ title, rows: rows.map(({ name }) => name) }));
}

describeNightly("npm run bench", () => {
  it("ends with the rows of the local platform and the built-in server", async () => {
    const plan = {
      deployments: { few: 8, many: 12 },
      threads: { few: 10, many: 20 },
      starts: 1,
      rounds: 1,
      paces: [{ connections: 2, requests: 4 }],
    };
    const names = (...operations: string[]) => operations.map((name) => `${name}, 2 at a time`);
    const list = "list, first page of 10";
    const threads = names(
      "state",
      "history",
      "search, no filter",
      "search by a customer's metadata",
      "search by metadata that all threads have",
      "create, empty",
      "create with a conversation",
    );
    expect(await rowsOf((run) => measureLocal(run, plan))).to.deep.equal([
      {
        title: "start (1 times)",
        rows: ["new folder", "12 deployments", "floor", "new folder : floor"],
      },
      { title: "deployments (ms, 1 rounds)", rows: names(list, "GET by id", "create") },
      { title: "memory after these requests", rows: ["8 deployments", "12 deployments", "floor"] },
      { title: "threads, no proxy (ms, 1 rounds)", rows: threads },
    ]);
  });

  it("ends with the rows of agents", async () => {
    expect(
      await rowsOf((run) => measureAgents(run, { agents: 1, rollOvers: 1, minutes: 0 })),
    ).to.deep.equal([{ title: "roll-overs under load", rows: ["built-in"] }]);
  });

  it("ends with the row of kills", async () => {
    expect(await rowsOf((run) => measureFire(run, { kills: 3, stored: 100 }))).to.deep.equal([
      { title: "kill -9 under writes", rows: ["100 deployments"] },
    ]);
  });

  it("ends with the rows of the engine", async () => {
    const waits = { seconds: 1, atOnce: 2, times: 1 };
    const limits = { rates: [50], resources: 2, listed: 2 };
    const plan = { starts: 1, waits, sizes: [2], creates: 1, limits };
    const [ours, native] = ["pulumi-agentserver", "pulumi-agentserver/native"];
    const floors = ["dynamic.Resource", "constant text"];
    const limited = (...works: string[]) =>
      ["no limit", "50 a second"].flatMap((rate) => works.map((work) => `${work}, ${rate}`));
    const upAndDown = (stack: string) => limited(`up ${stack}`, `destroy ${stack}`);
    const ratios = [...floors.map((floor) => `${ours} : ${floor}`), `${native} : ${ours}`];
    expect(await rowsOf((run) => measureEngine(run, plan))).to.deep.equal([
      { title: "2 deployments (1 times)", rows: [ours, native, ...floors, ...ratios] },
      {
        title: "start of the provider process (1 times)",
        rows: [ours, native, `${native} : ${ours}`],
      },
      {
        title: "what loading adds to the first (1 times)",
        rows: [
          "ours until the first request",
          "ours with the first request",
          "zod alone",
          "axios alone",
        ],
      },
      {
        title: "roll-outs of 1 s, real requests (1 times)",
        rows: ["one wait", "2 waits at once", "2 waits at once : one wait"],
      },
      {
        title: "2 deployments behind a bucket",
        rows: [ours, native].flatMap((kind) => [kind, `${kind} --parallel 64`]).flatMap(upAndDown),
      },
    ]);
  });
});
