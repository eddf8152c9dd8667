import { DIALECTS } from "../../sdk/dialect";
import { DRIVER_NAMES, DRIVERS } from "../../local/drivers";
import { AGENT_SERVERS } from "../../local/drivers/driver";
import type { LocalPlatformOptions } from "../../local";
import { codeOf, messageOf } from "../../shared/errors";
import type { CommandLine } from "../command-line";
import { CommandFailure } from "../failure";
import type { ResetOptions } from "../reset";
import type { StopOptions } from "../stop";
import { standardTerminal } from "../terminal";
import { ADDRESS, COUNT, FOLDER, oneOf, ORIGIN, PORT, SECONDS } from "../values";

/** Adds `local`, which starts the platform and runs until a signal ends it, with `local stop` and `local reset`. */
export function addLocalCommand(
  line: CommandLine,
  run = runLocal,
  stop = runStop,
  reset = runReset,
): void {
  const drivers = DRIVERS.map(({ name, description }) => `${name} ${description}`).join("; ");
  const local = line
    .command("local", "local --driver simulated")
    .enablePositionalOptions() // what follows `stop` is an option of `stop`
    .description("start the local platform: a control plane and agent servers on this machine")
    .addOption(
      line.option(
        "--port <port>",
        "port of a new data folder, which keeps it; 0 takes a free one (default: 8123)",
        PORT,
      ),
    )
    .addOption(
      line.option(
        "--data-dir <folder>",
        "where everything is kept (default: .agentserver)",
        FOLDER,
      ),
    )
    .addOption(line.option("--driver <name>", `${drivers} (default: process)`, oneOf(DRIVER_NAMES)))
    .addOption(
      line.option(
        "--agent-server <kind>",
        "real or built-in: run the graphs of repositories, or a server without graphs (default: real)",
        oneOf(AGENT_SERVERS),
      ),
    )
    .addOption(
      line.option(
        "--stage-seconds <seconds>",
        "how long a simulated stage takes (default: 0.2)",
        SECONDS,
      ),
    )
    .addOption(
      line.option(
        "--dialect <name>",
        "names on the wire: agentserver or langsmith (default: agentserver)",
        oneOf(DIALECTS),
      ),
    )
    .addOption(
      line.option(
        "--hosting <model>",
        "cloud or self-hosted: accept only the sources of this hosting model",
        oneOf(["cloud", "self-hosted"]),
      ),
    )
    .addOption(
      line.option(
        "--max-servers <count>",
        "most agent servers that run at a time (default: 10)",
        COUNT,
      ),
    )
    .addOption(
      line.option(
        "--listen <address>",
        "address to listen on; any but loopback needs --agent-auth (default: 127.0.0.1)",
        ADDRESS,
      ),
    )
    .option("--agent-auth", "require the workspace's key at agent URLs too")
    .addOption(
      line.repeatableOption(
        "--allow-origin <origin>",
        "let pages of this origin, such as http://localhost:3000, call agents (repeatable)",
        ORIGIN,
      ),
    )
    .option("--json", "print one line of JSON")
    .action(({ json = false, allowOrigin: allowOrigins, ...options }) =>
      run({ ...options, allowOrigins }, json),
    );
  const folder = (what: string) =>
    line.option("--data-dir <folder>", `${what} (default: .agentserver)`, FOLDER);
  line
    .command("local stop", "local stop")
    .description("stop the local platform on a data folder, and wait until it is gone")
    .addOption(folder("the data folder"))
    .option("--json", "print one line of JSON")
    .action(({ dataDir = local.opts().dataDir, json = local.opts().json ?? false }) =>
      stop({ dataDir, json }),
    );
  line
    .command("local reset", "local reset")
    .description("remove the data of a local platform that does not run")
    .addOption(folder("the data folder"))
    .option("-y, --yes", "do not ask")
    .option("--json", "print one line of JSON")
    .action(({ dataDir = local.opts().dataDir, json = local.opts().json ?? false, yes = false }) =>
      reset({ dataDir, yes, json }),
    );
}

async function runLocal(options: LocalPlatformOptions, json: boolean): Promise<void> {
  const { startLocal } = await withSqlite("start", import("../local-platform.js"));
  await startLocal(options, json);
}

async function runStop(options: StopOptions): Promise<void> {
  const { stop } = await import("../stop.js");
  await stop(options, standardTerminal());
}

async function runReset(options: ResetOptions): Promise<void> {
  const { reset } = await withSqlite("reset", import("../reset.js"));
  await reset(options, standardTerminal());
}

/** What keeps its data in SQLite, whose binaries are optional packages. */
async function withSqlite<Module>(verb: string, loaded: Promise<Module>): Promise<Module> {
  try {
    return await loaded;
  } catch (error) {
    if (codeOf(error) !== "MODULE_NOT_FOUND") throw error;
    throw new CommandFailure(`${verb} the local platform: ${messageOf(error)}`, { cause: error });
  }
}
