import type { Operation } from "../rounds";
import { createOne, FIRST_PAGE, getOne, removeNamed } from "./deployments";
import type { Subject } from "./subjects";

const GOALS = { median: 1.5 };

/** Coprime to every size there is: it leads through all ids, and never to a neighbour of the one before. */
const STRIDE = 7919;

/** A kind of request to the control plane. */
interface PlatformOperation extends Operation<Subject> {
  /** How many times longer the larger platform may take. */
  readonly goals?: Readonly<Record<string, number>>;
}

const CREATED = "created-";

/** What is measured of the control plane. */
export const OPERATIONS: readonly PlatformOperation[] = [
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
