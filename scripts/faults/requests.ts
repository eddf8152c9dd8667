import { z } from "zod";
import type { Answer, Passing } from "./proxy";

const Made = z.union([
  z.object({ assistant_id: z.string() }).transform(({ assistant_id: id }) => id),
  z.object({ provider_id: z.string() }).transform(({ provider_id: id }) => id),
  z.object({ thread_id: z.string() }).transform(({ thread_id: id }) => id),
  z.object({ id: z.string() }).transform(({ id }) => id),
]);

const CREATES = /^\/(v2\/deployments|v2\/listeners|v2\/auth\/providers|threads|assistants)$/;
const WRITES =
  /^\/(?:v2\/deployments|v2\/listeners|v2\/auth\/providers|threads|assistants)\/([^/?]+)/;

/** Whether a request creates a thing. */
export function isCreate(method: string, path: string): boolean {
  return method === "POST" && CREATES.test(path);
}

/** The id of what a request has created, by its answer. */
export function madeBy({ method, path }: Passing, { status, body }: Answer): string | undefined {
  const hasMade = isCreate(method, path) && status < 300;
  return hasMade ? Made.safeParse(JSON.parse(body.toString())).data : undefined;
}

/** The id of what a request writes to. */
export function writtenBy(method: string, path: string): string | undefined {
  return isWrite(method, path) ? WRITES.exec(path)?.[1] : undefined;
}

/** Whether a request changes something: agent servers take searches as POST too. */
export function isWrite(method: string, path: string): boolean {
  return method !== "GET" && !/\/(search|history|count|versions)(\?|$)/.test(path);
}
