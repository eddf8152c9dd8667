import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

/** Asks a registry for something small, as the process driver's installs do: with the user's settings. */
const PINGS = {
  javascript: ["npm", "ping"],
  python: ["python3", "-m", "pip", "download", "--no-deps", "--dest", tmpdir(), "idna==3.20"],
} as const;

/** The command line that fails when the registry of that language's packages can't be reached; undefined when it can. */
export async function registryFailure(language: keyof typeof PINGS): Promise<string | undefined> {
  const [program, ...args] = PINGS[language];
  return promisify(execFile)(program, args).then(
    () => undefined,
    () => `${program} ${args.join(" ")}`,
  );
}
