import type { Kind, Subject } from "../subject";

/** What is not the same on all servers: what a look at each of them sees, and how the documentation puts it. */
export interface Difference {
  /** What it is about: the first cell of its row in docs/agent-servers.md. */
  readonly what: string;
  /** Looks at a server. */
  readonly look: (server: Subject) => Promise<unknown>;
  /** What is seen there, and the words of its cell. */
  readonly on: Readonly<Record<Kind, readonly [words: string, seen: unknown]>>;
}

/** What came of a request: `done`, or the name of its error's class. */
export async function outcomeOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.name : "no error"),
  );
}
