import type { Revision } from "../../driver";
import type { Server } from "./server";

/** Where a server that holds its threads in memory keeps them between its runs. */
interface StateFolder {
  /** Loaded at the server's start, written at its end; need not exist before. */
  readonly path: string;
  /** Servers of one format read each other's folders; for example `python`. */
  readonly format: string;
}

/** Starts the servers of revisions. */
export interface Launcher {
  /** Resolves when the server answers; `log` takes what it prints, for as long as it runs. */
  start(revision: Revision, signal: AbortSignal, log?: (line: string) => void): Promise<Server>;
  /**
   * The folder of this revision alone. Undefined when its server shares the deployment's threads with those of other
   * revisions while all of them run, as the built-in one does.
   */
  stateFolder(revision: Revision): Promise<StateFolder | undefined>;
}

/** What is started, and until when it is wanted. */
export interface Launch {
  readonly revision: Revision;
  readonly signal: AbortSignal;
  readonly log?: (line: string) => void;
}

/** Starts a server; one that comes too late is ended: whoever asked for it is gone. */
export async function launch(launcher: Launcher, what: Launch): Promise<Server> {
  const { revision, signal, log } = what;
  const server = await launcher.start(revision, signal, log);
  if (signal.aborted) await server.end();
  signal.throwIfAborted();
  return server;
}
