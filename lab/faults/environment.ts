import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { type LocalPlatform, startLocalPlatform } from "../../local";
import { startAgentServer } from "../../local/agentserver";
import { AgentServer, ControlPlane } from "../../sdk";
import { type Answer, exchange, type Proxy, startProxy } from "./proxy";
import { startRuns } from "./runs";

/** A stage of a roll-out takes this many seconds of the platform's time. */
const STAGE_SECONDS = 2;

/** A key of an organization, with which its workspaces are reached; the proxy knows it, since the platform has none. */
const ORGANIZATION_KEY = "secret-value-of-the-organization";

/** The process of a local platform, which can be killed. */
export interface PlatformProcess {
  /** The output of all its processes so far. */
  readonly text: () => string;
  /** `kill -9`. */
  readonly kill: () => void;
  /** Starts it again on the same data folder, a while after it was killed. */
  readonly restart: () => Promise<void>;
}

/** A real local platform and a real agent server behind proxies, with a clock that only `advance` moves. */
export interface Environment {
  readonly platform: Pick<LocalPlatform, "url"> & {
    readonly admin: Pick<LocalPlatform["admin"], "push" | "addOutcome" | "clearOutcomes">;
  };
  /** Adds a workspace, and returns its id and key. */
  readonly addWorkspace: (name: string) => Promise<Access>;
  /** In front of the platform. */
  readonly controlPlane: Proxy;
  /** In front of an agent server with a stand-in for runs and crons, which belongs to no deployment but those that name its URL. */
  readonly agentServer: Proxy;
  /** Requests to the same that no fault meets. */
  readonly agents: { readonly send: Send; readonly client: AgentServer };
  /** The keys of workspaces, by id. */
  readonly keys: Map<string, string>;
  /** What reads of the platform have shown since the last request that writes, and since time has passed. */
  readonly seen: Map<string, Promise<Answer>>;
  readonly now: () => number;
  /** Lets time pass: all that falls into it happens at once. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** That of the platform, where it is one of its own: then the engine is Pulumi's. @default a model of the engine */
  readonly process?: PlatformProcess;
  readonly close: () => Promise<void>;
}

/** The access to a workspace. */
type Access = Readonly<Record<"workspaceId" | "apiKey", string>>;

export async function startEnvironment(): Promise<Environment> {
  const dataDir = await mkdtemp(join(tmpdir(), "agentserver-faults-"));
  const simulated = { driver: "simulated", stageSeconds: STAGE_SECONDS, port: 0 } as const;
  const startMs = Date.now();
  let nowMs = startMs;
  const platform = await startLocalPlatform({ dataDir, ...simulated, now: () => startMs });
  return environmentOf(dataDir, {
    platform,
    addWorkspace: async (name) => platform.admin.addWorkspace(name),
    now: () => nowMs,
    async advance(milliseconds) {
      // The platform keeps whole milliseconds.
      const wholeMs = Math.ceil(milliseconds);
      nowMs += wholeMs;
      await platform.admin.advanceClock(wholeMs / 1000);
    },
    close: () => platform.close(),
  });
}

/** A platform that runs on this folder, with an agent server beside it and proxies in front of both. */
export async function environmentOf(
  dataDir: string,
  parts: Omit<Environment, "controlPlane" | "agentServer" | "agents" | "keys" | "seen">,
): Promise<Environment> {
  const { platform, now } = parts;
  const database = join(dataDir, "threads.db");
  const settings = { graphs: ["agent", "other"], variables: [], commit: null };
  const server = await startAgentServer({ database, ...settings, now });
  const runs = await startRuns(server.url, now);
  const keys = new Map<string, string>();
  const seen = new Map<string, Promise<Answer>>();
  const controlPlane = await startProxy(platform.url, {
    keyOf: (headers) => workspaceKey(headers, keys),
    onWrite: () => seen.clear(),
  });
  const agentServer = await startProxy(runs.url);
  return {
    ...parts,
    controlPlane,
    agentServer,
    agents: { send: sendTo(runs.url), client: new AgentServer({ url: runs.url }) },
    keys,
    seen,
    async advance(milliseconds) {
      await parts.advance(milliseconds);
      seen.clear();
    },
    async close() {
      controlPlane.close();
      agentServer.close();
      await runs.close();
      await Promise.all([server.close(), parts.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The key of a request's workspace, where it comes with that of the organization. */
function workspaceKey(
  headers: IncomingHttpHeaders,
  keys: ReadonlyMap<string, string>,
): string | undefined {
  const isOfAll = headers["x-api-key"] === ORGANIZATION_KEY;
  return isOfAll ? keys.get(String(headers["x-tenant-id"])) : undefined;
}

/** Changes something as another client would; returns the status. */
export type Send = (method: string, path: string, body?: unknown) => Promise<number>;

function sendTo(url: string, headers: Readonly<Record<string, string>> = {}): Send {
  return async (method, path, body) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const text = body === undefined ? "" : JSON.stringify(body);
    const passing = { method, body: Buffer.from(text) };
    return (await exchange(url + path, passing, { ...headers, ...json })).status;
  };
}

/** A workspace of its own for each schedule; no fault meets its requests. */
export interface Workspace {
  readonly workspaceId: string;
  readonly get: <Answer>(schema: z.ZodType<Answer>, path: string) => Promise<Answer>;
  /** The same, or nothing where it is not there. */
  readonly find: <Answer>(schema: z.ZodType<Answer>, path: string) => Promise<Answer | undefined>;
  readonly send: Send;
  /** The settings of a program. */
  readonly settings: Readonly<Record<"baseUrl" | "apiKey" | "workspaceId", string>>;
  readonly client: ControlPlane;
}

export async function makeWorkspace(
  { platform, controlPlane, keys, seen, now, addWorkspace }: Environment,
  name: string,
): Promise<Workspace> {
  const { workspaceId, apiKey } = await addWorkspace(name);
  keys.set(workspaceId, apiKey);
  const headers = { "x-api-key": apiKey, "x-tenant-id": workspaceId };
  const send = sendTo(platform.url, headers);
  const read = (path: string): Promise<Answer> => {
    // The time of a platform that is a process passes by itself.
    const key = [now(), workspaceId, path].join(" ");
    const reading = seen.get(key) ?? exchange(platform.url + path, GET, headers);
    seen.set(key, reading);
    return reading;
  };
  const parsed = <Body>(schema: z.ZodType<Body>, { body }: Answer): Body =>
    schema.parse(JSON.parse(body.toString()));
  return {
    workspaceId,
    settings: {
      baseUrl: controlPlane.url,
      apiKey: ORGANIZATION_KEY,
      workspaceId,
    },
    client: new ControlPlane({ baseUrl: platform.url, apiKey, workspaceId }),
    get: async (schema, path) => parsed(schema, await read(path)),
    async find(schema, path) {
      const answer = await read(path);
      return answer.status === 404 ? undefined : parsed(schema, answer);
    },
    send: (...request) => send(...request).finally(() => seen.clear()),
  };
}

const GET = { method: "GET", body: Buffer.from("") };
