import type { AgentServer } from "pulumi-agentserver/sdk";

/** Takes a line for the person who watches. */
export type Say = (text: string) => void;

/** The agent that the demo deploys, and what it does with it. */
export interface Actor {
  /** Its files in this repository. */
  readonly folder: string;
  /** The change for the second revision: a file, a text in it, and its replacement. */
  readonly edit: readonly [file: string, from: string, to: string];
  /** Begins a conversation on the first revision, which runs that commit; returns the thread's id. */
  begin(agent: AgentServer, commit: string, say: Say): Promise<string>;
  /** Goes on with it on the second revision. */
  goOn(agent: AgentServer, threadId: string, commit: string, say: Say): Promise<void>;
}
