import { send } from "../load";
import type { Subject as Measured } from "../rounds";
import type { Server, Servers } from "../servers";
import { startFloor } from "./commands";
import { allIds, FIRST_PAGE, getOne, integrationOf } from "./deployments";
import type { Populated } from "./populated";

/** A server with what requests to it name. */
export interface Subject extends Measured {
  readonly server: Server;
  readonly ids: readonly string[];
  readonly integrationId: string;
}

/** Two platforms with few and with many deployments, and a bare server that gets the requests of the first. */
export type Subjects = Readonly<Record<"small" | "large" | "floor", Subject>>;

/** Starts all three; the bare server's answers have the size of the smaller platform's. */
export async function startSubjects(
  servers: Servers,
  { small, large, signal }: { small: Populated; large: Populated; signal: AbortSignal },
): Promise<Subjects> {
  const few = await startSubject(small, signal);
  const page = await send(few.server, FIRST_PAGE, { signal });
  const one = await send(few.server, getOne(few.ids[0] ?? ""), { signal });
  const server = await startFloor(servers, Buffer.byteLength(page), Buffer.byteLength(one));
  const floor = { ...few, name: "floor", server, forgets: true } as const;
  return { small: few, large: await startSubject(large, signal), floor };
}

async function startSubject(populated: Populated, signal: AbortSignal): Promise<Subject> {
  const server = await populated.start();
  const ids = await allIds(server, signal);
  return { name: populated.name, server, ids, integrationId: await integrationOf(server, signal) };
}
