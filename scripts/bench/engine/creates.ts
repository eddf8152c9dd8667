import { deepStrictEqual } from "node:assert/strict";
import { z } from "zod";
import type { Stage } from "../bench";
import type { Figure, Table } from "../figure";
import { send } from "../load";
import type { Server, Servers } from "../servers";
import { compareKinds, type Goals, type NativeGoals } from "./comparison";
import { type Kind, KINDS, NATIVE, OURS } from "./kinds";
import { settingsFor } from "./inputs";
import { BenchStack } from "./stack";

/** How much is measured. */
export interface CreatesPlan {
  /** Resources of the stacks that are created. */
  readonly sizes: readonly number[];
  readonly repetitions: number;
}

/** What one stack came to. */
interface Observation {
  readonly kind: Kind;
  readonly createSeconds: number;
  readonly createRequests: number;
  readonly stateBytes: number;
  readonly previewSeconds: number;
  readonly previewRequests: number;
  readonly upSeconds: number;
  readonly upRequests: number;
}

/** What must be the same for all kinds, else they can't be compared. */
interface Work {
  readonly requests: Readonly<Record<string, number>>;
  readonly values: unknown;
}

/**
 * Creates stacks of each size, previews and updates them again without a change, all kinds in turn, in an order that changes from round to
 * round: what else the machine does hits all alike.
 */
export async function measureCreates(
  servers: Servers,
  { sizes, repetitions }: CreatesPlan,
  stage: Stage,
): Promise<Table[]> {
  const server = await servers.start(require.resolve("./ready"));
  const tables: Table[] = [];
  for (const resources of sizes) {
    const observations: Observation[] = [];
    let first: Work | undefined;
    for (let round = 0; round < repetitions; round++)
      for (const kind of rotated(KINDS, round)) {
        stage.say(`create of ${resources}, round ${round + 1} of ${repetitions}: ${kind}`);
        const { observation, work } = await observe(server, { kind, resources }, stage.signal);
        deepStrictEqual(work, (first ??= work));
        observations.push(observation);
      }
    const isLargest = resources === Math.max(...sizes);
    tables.push(...tablesOf(resources, observations, isLargest ? NATIVE_PREVIEW : {}));
  }
  return tables;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

async function observe(
  server: Server,
  { kind, resources }: { kind: Kind; resources: number },
  signal: AbortSignal,
): Promise<{ observation: Observation; work: Work }> {
  const config = settingsFor(`http://127.0.0.1:${server.port}`);
  const stack = await BenchStack.create({ kind, resources, config }, signal);
  try {
    const createSeconds = await stack.up();
    const requests = await takeRequests(server, signal);
    const values = await stack.values();
    const stateBytes = await stack.stateBytes();
    const previewSeconds = await stack.preview();
    const previewRequests = sum(await takeRequests(server, signal));
    const observation = {
      kind,
      createSeconds,
      createRequests: sum(requests),
      stateBytes,
      previewSeconds,
      previewRequests,
      upSeconds: await stack.up(),
      upRequests: sum(await takeRequests(server, signal)),
    };
    return { observation, work: { requests, values } };
  } finally {
    await stack.remove();
  }
}

const Requests = z.record(z.string(), z.number());

/** The requests since the last time; the control plane forgets them, and all deployments. */
async function takeRequests(server: Server, signal: AbortSignal) {
  const text = await send(server, { method: "GET", path: "/requests", status: 200 }, { signal });
  await send(server, { method: "DELETE", path: "/", status: 204 }, { signal });
  return Requests.parse(JSON.parse(text));
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const CREATE_GOALS: Goals = { "dynamic.Resource": 0.8, "constant text": 1.3 };
const PREVIEW_GOALS: Goals = { "constant text": 1.1 };
/** For the largest stack: in a small one the start of the processes is most of the time. */
const NATIVE_PREVIEW: NativeGoals = { preview: 0.85 };

function tablesOf(
  resources: number,
  observations: readonly Observation[],
  nativePreview: NativeGoals,
): Table[] {
  const of = (kind: Kind) => observations.filter((observation) => observation.kind === kind);
  const each = (values: readonly number[]) => values.map((value) => value / resources);
  const created = compareKinds(CREATE_GOALS, { state: 0.8 }, (kind) => [
    { name: "create", unit: "s", values: of(kind).map(({ createSeconds }) => createSeconds) },
    { name: "state", unit: "B each", values: each(of(kind).map(({ stateBytes }) => stateBytes)) },
    {
      name: "requests",
      unit: "each",
      values: each(of(kind).map(({ createRequests }) => createRequests)),
    },
  ]);
  const previewed = compareKinds(PREVIEW_GOALS, nativePreview, (kind) => [
    { name: "preview", unit: "s", values: of(kind).map(({ previewSeconds }) => previewSeconds) },
    requestsOf(
      kind,
      of(kind).map(({ previewRequests }) => previewRequests),
    ),
  ]);
  const updated = compareKinds({}, {}, (kind) => [
    { name: "up", unit: "s", values: of(kind).map(({ upSeconds }) => upSeconds) },
    requestsOf(
      kind,
      of(kind).map(({ upRequests }) => upRequests),
    ),
  ]);
  return [
    { title: `create of ${resources}`, rows: created },
    { title: `no-op preview of ${resources}`, rows: previewed },
    { title: `no-op up of ${resources}`, rows: updated },
  ];
}

/** Ours send none where nothing changes, through both providers. */
function requestsOf(kind: Kind, values: readonly number[]): Figure {
  const isOurs = kind === OURS || kind === NATIVE;
  return { name: "requests", unit: "in all", values, ...(isOurs && { atMost: 0 }) };
}
