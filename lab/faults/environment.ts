import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { type LocalPlatform, startLocalPlatform } from "../../local";
import { startAgentServer } from "../../local/agentserver";
import { AgentServer, ControlPlane } from "../../sdk";
import { type Proxy, startProxy } from "./proxy";
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
  readonly agents: Requests & { readonly client: AgentServer };
  /** The keys of workspaces, by id. */
  readonly keys: Map<string, string>;
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
  parts: Omit<Environment, "controlPlane" | "agentServer" | "agents" | "keys">,
): Promise<Environment> {
  const { platform, now } = parts;
  const database = join(dataDir, "threads.db");
  const settings = { graphs: ["agent", "other"], variables: [], commit: null };
  const server = await startAgentServer({ database, ...settings, now });
  const runs = await startRuns(server.url, now);
  const keys = new Map<string, string>();
  const controlPlane = await startProxy(platform.url, (headers) => workspaceKey(headers, keys));
  const agentServer = await startProxy(runs.url);
  return {
    ...parts,
    controlPlane,
    agentServer,
    agents: { ...requestsTo(runs.url), client: new AgentServer({ url: runs.url }) },
    keys,
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
  headers: Readonly<Record<string, string>>,
  keys: ReadonlyMap<string, string>,
): string | undefined {
  const isOfAll = headers["x-api-key"] === ORGANIZATION_KEY;
  return isOfAll ? keys.get(String(headers["x-tenant-id"])) : undefined;
}

/** Changes something as another client would; returns the status. */
export type Send = (method: string, path: string, body?: unknown) => Promise<number>;

/** Requests that no fault meets. */
interface Requests {
  readonly get: <Answer>(schema: z.ZodType<Answer>, path: string) => Promise<Answer>;
  /** The same, or nothing where it is not there. */
  readonly find: <Answer>(schema: z.ZodType<Answer>, path: string) => Promise<Answer | undefined>;
  readonly send: Send;
}

function requestsTo(url: string, headers: Readonly<Record<string, string>> = {}): Requests {
  return {
    async get(schema, path) {
      const answer = await fetch(`${url}${path}`, { headers });
      return schema.parse(await answer.json());
    },
    async find(schema, path) {
      const answer = await fetch(`${url}${path}`, { headers });
      const body: unknown = await answer.json();
      return answer.status === 404 ? undefined : schema.parse(body);
    },
    async send(method, path, body) {
      const json = { ...headers, "content-type": "application/json" };
      const init = body === undefined ? { headers } : { headers: json, body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, { method, ...init });
      await answer.arrayBuffer();
      return answer.status;
    },
  };
}

/** A workspace of its own for each schedule. */
export interface Workspace extends Requests {
  readonly workspaceId: string;
  /** The settings of a program. */
  readonly settings: Readonly<Record<"baseUrl" | "apiKey" | "workspaceId", string>>;
  readonly client: ControlPlane;
}

export async function makeWorkspace(
  { platform, controlPlane, keys, addWorkspace }: Environment,
  name: string,
): Promise<Workspace> {
  const { workspaceId, apiKey } = await addWorkspace(name);
  keys.set(workspaceId, apiKey);
  const headers = { "x-api-key": apiKey, "x-tenant-id": workspaceId };
  return {
    workspaceId,
    settings: {
      baseUrl: controlPlane.url,
      apiKey: ORGANIZATION_KEY,
      workspaceId,
    },
    client: new ControlPlane({ baseUrl: platform.url, apiKey, workspaceId }),
    ...requestsTo(platform.url, headers),
  };
}
