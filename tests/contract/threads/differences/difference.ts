import type { Kind, Subject } from "../subject";

/** A difference between the servers: the observation on each of them, and the documentation's words. */
export interface Difference {
  /** Its subject: the first cell of its row in docs/agent-servers.md. */
  readonly what: string;
  /** Looks at a server. */
  readonly look: (server: Subject) => Promise<unknown>;
  /** The observation there, and the words of its cell. */
  readonly on: Readonly<Record<Kind, readonly [words: string, seen: unknown]>>;
}

/** The result of a request: `done`, or the name of its error's class. */
export async function outcomeOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.name : "no error"),
  );
}
