import { API_KEY_VARIABLE } from "./authentication";
import { startAgentServer } from "./index";
import { json } from "../sqlite/json";
import { parse } from "./parse";
import { AgentServerSettings } from "./settings";
import { messageOf } from "../../shared/errors";

const Argument = json(AgentServerSettings);

/**
 * The process of a built-in agent server. Its argument is `AgentServerSettings` as JSON; its key is in the environment,
 * which other users cannot read. It prints one line of JSON, `{"event":"listening","port":N}`, or
 * `{"level":"error","event":"…"}` before it exits with 1. TERM and INT end it.
 */
async function main(): Promise<void> {
  try {
    const settings = parse(Argument, process.argv[2]);
    const apiKey = process.env[API_KEY_VARIABLE];
    if (apiKey === "")
      throw new Error(`${API_KEY_VARIABLE} is empty: set a key, or remove the variable`);
    const server = await startAgentServer({ ...settings, ...(apiKey && { apiKey }) });
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => void server.close().finally(() => process.exit(0)));
    report({ event: "listening", port: server.port });
  } catch (error) {
    report({ level: "error", event: `Error: start agent server: ${messageOf(error)}` });
    process.exitCode = 1;
  }
}

function report(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

void main();
