import { aConversation, type Kind, type Subject } from "../subject";

/** A difference between the servers: the observation on each of them, and the documentation's words. */
export interface Difference {
  /** Its subject: the first cell of its row in docs/agent-servers.md. */
  readonly what: string;
  /** What a comparison of the servers finds of it, by the words of `Found`. */
  readonly finds?: RegExp;
  /** Looks at a server. */
  readonly look: (server: Subject) => Promise<unknown>;
  /** The observation there, and the words of its cell. */
  readonly on: Readonly<Record<Kind, readonly [words: string, seen: unknown]>>;
}

/** The statuses of requests to a thread with a conversation: the method, the path below it, the body. */
export async function statusesOf(
  server: Subject,
  ...requests: readonly (readonly [method: string, path: string, body?: unknown])[]
): Promise<number[]> {
  const { thread_id } = await aConversation(server);
  const sent = requests.map(([method, path, body]) =>
    server.send(method, `/threads/${thread_id}${path}`, body),
  );
  return (await Promise.all(sent)).map(({ status }) => status);
}

/** The result of a request: `done`, or the name of its error's class. */
export async function outcomeOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.name : "no error"),
  );
}
