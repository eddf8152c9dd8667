import { z } from "zod";
import { MARK } from "../../provider/gate/run";
import { recordOf } from "../../shared/records";
import type { Answer, Passing } from "./proxy";

const Made = z.union([
  z.object({ cron_id: z.string() }).transform(({ cron_id: id }) => id),
  z.object({ assistant_id: z.string() }).transform(({ assistant_id: id }) => id),
  z.object({ provider_id: z.string() }).transform(({ provider_id: id }) => id),
  z.object({ thread_id: z.string() }).transform(({ thread_id: id }) => id),
  z.object({ id: z.string() }).transform(({ id }) => id),
]);

const CREATES =
  /^\/(v2\/deployments|v2\/listeners|v2\/auth\/providers|threads(\/[^/]+\/copy)?|assistants|runs\/crons)$/;
const WRITES =
  /^\/(?:v2\/deployments|v2\/listeners|v2\/auth\/providers|threads|assistants|runs\/crons)\/([^/?]+)/;

/** Whether a request creates a thing. */
export function isCreate(method: string, path: string): boolean {
  return method === "POST" && CREATES.test(path);
}

/** The id of what a request has created, by its answer. What a gate needs while it is asked belongs to no resource. */
export function madeBy({ method, path }: Passing, { status, body }: Answer): string | undefined {
  if (!isCreate(method, path) || status >= 300) return undefined;
  const made: unknown = JSON.parse(body.toString());
  return isOfGate(recordOf(made)["metadata"]) ? undefined : Made.safeParse(made).data;
}

/** Whether metadata is that of a thread or an assistant of a gate. */
function isOfGate(metadata: unknown): boolean {
  return recordOf(metadata)["created_by"] === MARK.created_by;
}

/** The id of what a request writes to. */
export function writtenBy(method: string, path: string): string | undefined {
  return isWrite(method, path) ? WRITES.exec(path)?.[1] : undefined;
}

/** Whether a request changes something: agent servers take searches as POST too. */
export function isWrite(method: string, path: string): boolean {
  return method !== "GET" && !/\/(search|history|count|versions)(\?|$)/.test(path);
}
