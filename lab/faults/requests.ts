import { MARK } from "../../provider/gate/run";
import { recordOf, textOf } from "../../shared/records";
import type { Answer, Passing } from "./proxy";

type Request = Pick<Passing, "method" | "path">;

const THINGS = "v2/deployments|v2/listeners|v2/auth/providers|threads|assistants|runs/crons";
const CREATES = new RegExp(String.raw`^/(${THINGS}|threads/[^/]+/copy)$`);
const WRITES = new RegExp(String.raw`^/(?:${THINGS})/([^/?]+)`);

/** Whether a request creates a thing. */
export function isCreate({ method, path }: Request): boolean {
  return method === "POST" && CREATES.test(path);
}

/** Whether a request copies a thread. */
export function isCopy({ method, path }: Request): boolean {
  return method === "POST" && /^\/threads\/[^/]+\/copy$/.test(path);
}

/** Whether a request changes something: agent servers take searches as POST too. */
export function isWrite({ method, path }: Request): boolean {
  return method !== "GET" && !/\/(search|history|count|versions)(\?|$)/.test(path);
}

/** The id of what a request writes to. */
export function writtenBy(request: Request): string | undefined {
  return isWrite(request) ? WRITES.exec(request.path)?.[1] : undefined;
}

/** The id of what a request has created, by its answer. What a gate needs while it is asked belongs to no resource. */
export function madeBy(request: Request, { status, body }: Answer): string | undefined {
  if (!isCreate(request) || status >= 300) return undefined;
  const made = recordOf(JSON.parse(body.toString()));
  if (recordOf(made["metadata"])["created_by"] === MARK.created_by) return undefined;
  const names = ["cron_id", "assistant_id", "provider_id", "thread_id", "id"];
  return textOf(made[names.find((name) => name in made) ?? ""]);
}
