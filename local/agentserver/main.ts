import { startAgentServer } from "./index";
import { json } from "./database";
import { parse } from "./parse";
import { AgentServerSettings } from "./settings";

const Argument = json.pipe(AgentServerSettings);

/**
 * The process of a built-in agent server. Its one argument is `AgentServerSettings` as JSON; it says on stdout, in one line
 * of JSON, `{"event":"listening","port":N}`, or `{"event":"failed","message":"…"}` and exits with 1. TERM and INT end it.
 */
async function main(): Promise<void> {
  try {
    const server = await startAgentServer(parse(Argument, process.argv[2]));
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => void server.close().finally(() => process.exit(0)));
    tell({ event: "listening", port: server.port });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    tell({ event: "failed", message: `start agent server: ${cause}` });
    process.exitCode = 1;
  }
}

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

void main();
