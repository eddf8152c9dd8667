import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { DIALECTS } from "../../sdk/dialect";
import { codeOf, messageOf } from "../../shared/errors";

/** The data folder where none is given, in the working directory. */
export const DEFAULT_DATA_DIR = ".agentserver";

/** The option by which a command finds the folder; none where it looks there anyway. */
export function dataDirOption(dataDir: string): string[] {
  return resolve(dataDir) === resolve(DEFAULT_DATA_DIR) ? [] : ["--data-dir", dataDir];
}

/** The paths in a data folder. */
export function pathsIn(dataDir: string) {
  const folder = resolve(dataDir);
  return {
    folder,
    database: join(folder, "platform.db"),
    identity: join(folder, "platform.json"),
    gitignore: join(folder, ".gitignore"),
  } as const;
}

/** How clients reach a platform; all but `pid` and `dialect` is created once for a data folder. */
export const PlatformIdentity = z.object({
  /** The base URL of its control plane, without a trailing slash. */
  url: z.string(),
  port: z.int(),
  apiKey: z.string(),
  workspaceId: z.string(),
  /** Opens the admin API below `/_local/`, in the header `X-Local-Key`. */
  adminKey: z.string(),
  pid: z.int(),
  /** The names on the wire since the last start. */
  dialect: z.enum(DIALECTS),
  /** The link to its page, which opens it in a browser; undefined without a page. */
  pageUrl: z.string().optional(),
});
export type PlatformIdentity = Readonly<z.infer<typeof PlatformIdentity>>;

/** Writes `platform.json`, the object that `local --json` prints, atomically. */
export function writeIdentity(dataDir: string, identity: PlatformIdentity): void {
  const { identity: path } = pathsIn(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Reads `platform.json`; undefined where no platform has run. Throws an `Error` that names a damaged or unreadable file. */
export function readIdentity(dataDir: string): PlatformIdentity | undefined {
  const { identity: path } = pathsIn(dataDir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Error(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  try {
    return PlatformIdentity.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new Error(
      `${path} is not valid: ${reason}; start the platform on the folder again, which rewrites the file`,
      { cause: error },
    );
  }
}
