import { z } from "zod";

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

/** The id of what a POST has created. */
export function madeBy(path: string, body: string): string | undefined {
  return CREATES.test(path) ? Made.safeParse(JSON.parse(body)).data : undefined;
}

/** The id of what a request writes to. */
export function writtenBy(method: string, path: string): string | undefined {
  return isWrite(method, path) ? WRITES.exec(path)?.[1] : undefined;
}

/** Whether a request changes something: agent servers take searches as POST too. */
export function isWrite(method: string, path: string): boolean {
  return method !== "GET" && !/\/(search|history|count|versions)(\?|$)/.test(path);
}
