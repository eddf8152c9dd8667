import type { Request } from "../load";
import type { Server } from "../servers";
import { createOne, FIRST_PAGE, getOne, removeNamed } from "./deployments";
import type { Subject } from "./subjects";

const GOALS = { median: 1.5 };

/** Coprime to every size there is: it leads through all ids, and never to a neighbour of the one before. */
const STRIDE = 7919;

/** A kind of request. */
export interface Operation {
  readonly name: string;
  readonly request: (subject: Subject, index: number) => Request;
  /** How much of a pace's requests it gets (0 to 1). @default 1 */
  readonly share?: number;
  /** How many times longer the larger platform may take. */
  readonly goals?: Readonly<Record<string, number>>;
  /** Makes the platform what it was before. */
  readonly undo?: (server: Server, signal: AbortSignal) => Promise<void>;
}

const CREATED = "created-";

/** What is measured of the control plane. */
export const OPERATIONS: readonly Operation[] = [
  { name: "list, first page of 10", goals: GOALS, request: () => FIRST_PAGE },
  {
    name: "GET by id",
    goals: GOALS,
    request: ({ ids }, index) => getOne(ids[(index * STRIDE) % ids.length] ?? ""),
  },
  {
    name: "create",
    // What is created has to be removed again, and that takes longer than all the rest of a round.
    share: 0.5,
    request: ({ integrationId }, index) => createOne(`${CREATED}${index}`, integrationId),
    undo: (server, signal) => removeNamed(server, CREATED, signal),
  },
];
