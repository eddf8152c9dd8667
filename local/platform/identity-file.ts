import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { DIALECTS } from "../../sdk/dialect";
import { codeOf, messageOf } from "../../shared/errors";
import { shellWord } from "../../shared/shell";

/** The data folder where none is given, in the working directory. */
export const DEFAULT_DATA_DIR = ".agentserver";

/** The option by which a command finds the folder; none where it looks there anyway. */
export function dataDirOption(dataDir: string): string[] {
  return resolve(dataDir) === resolve(DEFAULT_DATA_DIR) ? [] : ["--data-dir", shellWord(dataDir)];
}

/** A command that finds the folder, as a person types it in a project. */
export function npxCommand(words: string, dataDir: string): string {
  return ["npx pulumi-agentserver", words, ...dataDirOption(dataDir)].join(" ");
}

/**
 * Every entry that a platform, or a command beside it, writes into its data folder, with those that SQLite writes beside
 * the database. A reset removes them in this order: `platform.json`, which lists them, is the last.
 */
export const ENTRIES = [
  "deployments",
  "cache",
  "open.html",
  ".gitignore",
  "platform.db-journal",
  "platform.db-shm",
  "platform.db-wal",
  "platform.db",
  "platform.json.new",
  "platform.json",
] as const;
export type Entry = (typeof ENTRIES)[number];

/** The paths in a data folder. */
export function pathsIn(dataDir: string) {
  const folder = resolve(dataDir);
  const path = (entry: Entry) => join(folder, entry);
  return {
    folder,
    deployments: path("deployments"),
    cache: path("cache"),
    /** Leads a browser to the page. */
    opener: path("open.html"),
    gitignore: path(".gitignore"),
    database: path("platform.db"),
    newIdentity: path("platform.json.new"),
    identity: path("platform.json"),
  } as const;
}

/** The address and the keys of a platform; all but `pid` and `dialect` is created once for a data folder. */
export const PlatformIdentity = z.object({
  /** The base URL of its control plane, without a trailing slash. */
  url: z.url(),
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

/** The folder's content is not, or not known to be, a platform's. */
export class NotOwnError extends Error {
  override readonly name = "NotOwnError";
}

/** The content of `platform.json` before the platform has listened for the first time. */
const Started = z.strictObject({
  created: z.array(z.enum(ENTRIES), "must list what a local platform created in the folder"),
});
/** Its content from then on, as far as the list is concerned. */
const Listed = z.object(Started.shape);

/**
 * Creates `platform.json` with the list of the entries that are the platform's own. They must not exist yet. Throws where
 * the file exists.
 */
export function writeCreated(dataDir: string, created: readonly Entry[]): void {
  writeFileSync(pathsIn(dataDir).identity, formatFile({ created }), { mode: 0o600, flag: "wx" });
}

/** Writes `platform.json` atomically: the object that `local --json` prints, and the list. */
export function writeIdentity(
  dataDir: string,
  identity: PlatformIdentity,
  created: readonly Entry[],
): void {
  const { identity: path, newIdentity } = pathsIn(dataDir);
  writeFileSync(newIdentity, formatFile({ ...identity, created }), { mode: 0o600 });
  renameSync(newIdentity, path);
}

function formatFile(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Reads the list in `platform.json`; undefined without the file. Throws `NotOwnError` for a damaged file, one
 * without the list, and one that may be another folder's: a symbolic link, or a copy without a database.
 */
export function readCreated(dataDir: string): readonly Entry[] | undefined {
  const { identity: path, database } = pathsIn(dataDir);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new NotOwnError(`${path} is not valid: it is a symbolic link`);
  const content = readFile(path);
  if (content === undefined) return undefined;
  const { created } = parseFile(path, Listed, content);
  // A copy of another folder's file lists nothing of this one.
  if (!Started.safeParse(content).success && !existsSync(database))
    throw new NotOwnError(`${path} is not valid: the platform.db of its platform is missing`);
  return ENTRIES.filter((entry) => entry === "platform.json" || created.includes(entry));
}

/** Reads `platform.json`; undefined where no platform has run. Throws an `Error` that names a damaged or unreadable file. */
export function readIdentity(dataDir: string): PlatformIdentity | undefined {
  const { identity: path } = pathsIn(dataDir);
  try {
    const content = readFile(path);
    if (content === undefined || Started.safeParse(content).success) return undefined;
    return parseFile(path, PlatformIdentity, content);
  } catch (error) {
    throw new Error(
      `${messageOf(error)}; start the platform on the folder again: it rewrites the file, or reports what to do`,
      { cause: error },
    );
  }
}

/** The JSON of the file; undefined where there is none. */
function readFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new NotOwnError(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotOwnError(`${path} is not valid: ${messageOf(error)}`, { cause: error });
  }
}

function parseFile<Content>(path: string, schema: z.ZodType<Content>, content: unknown): Content {
  const { data, error } = schema.safeParse(content);
  if (!error) return data;
  const reasons = error.issues.map(({ path: at, message }) =>
    at.length > 0 ? `${at.join(".")}: ${message}` : message,
  );
  throw new NotOwnError(`${path} is not valid: ${reasons.join("; ")}`, { cause: error });
}
