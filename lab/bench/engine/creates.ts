import { deepStrictEqual } from "node:assert/strict";
import { sum } from "simple-statistics";
import { z } from "zod";
import { ask } from "../load";
import type { Run, Server } from "../run";
import { type Numbers, Observations, over, rotated, type Table } from "../table";
import { FLOORS, type Kind, NATIVE, OURS, settingsFor } from "./inputs";
import { withStack } from "./stack";

const FLOOR_GOALS: Readonly<Record<(typeof FLOORS)[number], Numbers>> = {
  "dynamic.Resource": { "create (s)": 0.8 },
  "constant text": { "create (s)": 1.3, "preview (s)": 1.1 },
};
const NATIVE_GOALS: Numbers = { "create (s)": 1.25, "preview (s)": 1.1, "state (B each)": 0.8 };
const ONE_CHANGE = "up of one change : preview";
/** In a small stack the start of the processes is most of the time. */
const LARGE_OWN_GOALS: Numbers = { [ONE_CHANGE]: 1.15 };
const LARGE = 500;

/**
 * Creates stacks, previews and updates them again without a change, all kinds in turn, in an order that changes from round
 * to round: what else the machine does hits all alike. Throws when kinds send different requests, which can't be compared.
 */
export async function measureCreates(
  run: Run,
  controlPlane: Server,
  { resources, times }: { resources: number; times: number },
): Promise<Table> {
  const seen = new Observations();
  const kinds: Kind[] = [OURS, NATIVE, ...FLOORS];
  let first: Numbers | undefined;
  for (let round = 0; round < times; round++)
    for (const kind of rotated(kinds, round)) {
      run.say(`create of ${resources}, round ${round + 1} of ${times}: ${kind}`);
      const { requests, taken } = await observe(run, controlPlane, kind, resources);
      deepStrictEqual(requests, (first ??= requests));
      seen.add(kind, taken);
    }
  const [ours, native] = [seen.row(OURS), seen.row(NATIVE)];
  const isLarge = resources >= LARGE;
  const rows = [
    ...kinds.map((kind) => seen.row(kind, isLarge ? LARGE_OWN_GOALS : {})),
    ...FLOORS.map((floor) => over(ours, seen.row(floor), FLOOR_GOALS[floor])),
    over(native, seen.row("constant text"), NATIVE_GOALS),
  ];
  return { title: `${resources} deployments (${times} times)`, rows };
}

function observe(run: Run, server: Server, kind: Kind, resources: number) {
  const count = (method: "DELETE" | "GET") => countRequests(server, method, run.signal);
  return withStack(run.signal, async (stack) => {
    await stack.init(kind, resources, settingsFor(server.url));
    await count("DELETE");
    const create = await stack.up();
    const requests = await count("GET");
    const stateBytes = await stack.stateBytes();
    const preview = await stack.preview();
    const unchanged = await stack.up();
    // Without a change no request is sent.
    deepStrictEqual(await count("GET"), requests);
    const taken = {
      "create (s)": create.seconds,
      "create, CPU (s)": create.cpuSeconds,
      "state (B each)": stateBytes / resources,
      "requests (each)": sum(Object.values(requests)) / resources,
      "preview (s)": preview.seconds,
      "preview, CPU (s)": preview.cpuSeconds,
      "up (s)": unchanged.seconds,
    };
    // A provider written by hand has no update.
    if (kind !== OURS && kind !== NATIVE) return { requests, taken };
    await stack.change();
    const ratio = (await stack.up()).seconds / preview.seconds;
    return { requests, taken: { ...taken, [ONE_CHANGE]: ratio } };
  });
}

const Requests = z.record(z.string(), z.number());

/** The requests since the last `DELETE`, with which the control plane forgets them, and all deployments. */
async function countRequests(server: Server, method: "DELETE" | "GET", signal: AbortSignal) {
  return Requests.parse(JSON.parse(await ask(server, { method, path: "/requests" }, signal)));
}
