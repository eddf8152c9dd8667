import type { ZodType } from "zod";
import type { ControlPlane } from "../../sdk";
import type { Props } from "../arguments/props";
import { Owners } from "./owners";
import type { EngineLogCache, Log } from "./engine-log";
import type { Recorded } from "./stack-state";

/** The last create or update of a resource that the service has accepted. */
export interface RetryRecord {
  /** Undefined for a create of an earlier run, whose error the engine clears. */
  readonly verb?: "create" | "update";
  /** The arguments of the request. */
  readonly inputs: Props;
  readonly id: string;
  readonly outs: Props;
  /** Whether it ended in an error, after which a hook of the program may try again. */
  readonly hasFailed: boolean;
}

/** The cache of one provider process besides the state. It starts empty with each command and ends with the process. */
export interface ProcessCache extends EngineLogCache {
  /** One client for each set of settings. */
  readonly clients: Map<string, ControlPlane>;
  /** Reports what of their responses does not match the contract: the log of the first operation. */
  warn?: Log["warn"];
  /** The owner of each deployment. */
  readonly owners: Owners;
  /** Resources that this process has created and updated, by URN. */
  readonly retryRecords: Map<string, RetryRecord>;
  /** URLs of deployments that a change leaves as they are, by deployment id. In a preview the engine treats them as unknown. */
  readonly keptUrls: Map<string, string>;
  /** URLs of deployments that may have another revision after this run. */
  readonly revisedUrls: Set<string>;
  /** The types of contexts, by agent server, key and graph: a server may need seconds for each. */
  readonly contextTypes: Map<string, Promise<ZodType | undefined>>;
  /** Why servers refuse graphs, by agent server, key and graph; undefined where they do not. */
  readonly graphRefusals: Map<string, Promise<string | undefined>>;
  /** Why gates failed that this run has asked, by what they are about; undefined where they are passed. */
  readonly gates: Map<string, readonly [reason: string, ...runs: string[]] | undefined>;
  /** Ids of threads that the state holds, each with its resource's URN. */
  readonly held: Set<string>;
  /** Inputs of resources that the state held before, by URN. */
  readonly existing: Map<string, Props>;
  /** URNs of resources that are replaced, as far as a check or a diff shows it. */
  readonly replaced: Set<string>;
  /** Ids and URLs of deployments that this run has deleted. */
  readonly deleted: Set<string>;
  /** URNs of resources that a refresh has found gone: the state of its preview still has them. */
  readonly gone: Set<string>;
  /** What a replacement loses, as far as it was counted, by URN. */
  readonly losses: Map<string, string>;
  /** Counts it by the inputs of the state, for each resource that is new to a check, by URN. */
  readonly countLoss: Map<string, (before: Props) => Promise<unknown>>;
  /** URNs of deployments that set their name, by name. */
  readonly names: Map<string, string>;
  /** Namespaces that listeners of the program declare, by listener id. */
  readonly namespaces: Map<string, readonly string[] | undefined>;
  /** What a preview shows of the operation on a resource, by URN. */
  readonly announcements: Map<string, string>;
  /** The announcement of a forced replacement of each resource that is new to a check, by URN. */
  readonly creates: Map<string, () => string>;
  /** What the state of a preview has, by URN: read once, for the first create. */
  recorded?: Promise<ReadonlyMap<string, Recorded>>;
}

export function newProcessCache(): ProcessCache {
  return {
    clients: new Map(),
    shown: new Set(),
    owners: new Owners(),
    retryRecords: new Map(),
    keptUrls: new Map(),
    revisedUrls: new Set(),
    contextTypes: new Map(),
    graphRefusals: new Map(),
    gates: new Map(),
    held: new Set(),
    existing: new Map(),
    replaced: new Set(),
    deleted: new Set(),
    gone: new Set(),
    losses: new Map(),
    countLoss: new Map(),
    names: new Map(),
    namespaces: new Map(),
    announcements: new Map(),
    creates: new Map(),
  };
}
