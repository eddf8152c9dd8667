import type { DialectName } from "../sdk/dialect";
import {
  DEFAULT_DATA_DIR,
  npxCommand,
  pathsIn,
  type PlatformIdentity,
  readIdentity,
} from "../local/platform/identity-file";
import { readSettings, type Settings, SettingsError } from "../settings/settings";
import { NAMESPACE, optionOf, VARIABLES } from "../settings/source";
import { messageOf } from "../shared/errors";
import { isLoopback } from "../shared/net";
import { shellWord } from "../shared/shell";
import { CommandFailure } from "./failure";
import { note, type Terminal } from "./terminal/terminal";

/** The options by which every command finds its control plane. */
export interface ConnectionOptions {
  readonly baseUrl?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly dialect?: DialectName | undefined;
  readonly selfHosted?: boolean | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
  /** The data folder of a local platform. */
  readonly dataDir?: string | undefined;
  /** The folder of the Pulumi project whose stack counts. @default the working folder */
  readonly projectFolder?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A control plane, and where its settings were found. */
export interface Connection {
  readonly settings: Settings;
  /** Its origin: an option, a variable, or a file. */
  readonly origin: string;
  /** The data folder, for a local platform that was found by it. */
  readonly dataDir?: string;
}

/** Options of the search for a connection. */
export interface Search {
  readonly environment?: Environment;
  /** Whether a local platform in the working folder counts before the environment. @default false */
  readonly platformFirst?: boolean;
}

/**
 * Finds the control plane: the one that the options name, else the environment's, else the local platform of the working
 * folder. Credentials come from where the URL comes from. Throws `CommandFailure`.
 */
export function findConnection(options: ConnectionOptions, search: Search = {}): Connection {
  const { environment = process.env, platformFirst = false } = search;
  const { baseUrl, dataDir } = options;
  if (baseUrl !== undefined && dataDir !== undefined)
    throw new CommandFailure("--base-url and --data-dir both name a control plane; keep one");
  if (baseUrl !== undefined)
    return { settings: read(givenBy(options), environment), origin: "--base-url" };
  const ofFolder = () => ofPlatform(options, dataDir ?? DEFAULT_DATA_DIR);
  const found =
    dataDir !== undefined
      ? ofFolder()
      : platformFirst
        ? (ofFolder() ?? ofEnvironment(options, environment))
        : (ofEnvironment(options, environment) ?? ofFolder());
  if (found) return found;
  throw new CommandFailure(
    dataDir === undefined
      ? `no control plane: set ${VARIABLES.baseUrl}, ${VARIABLES.apiKey} and ${VARIABLES.workspaceId}, ` +
          `or start a local platform in this folder with \`${npxCommand("local", DEFAULT_DATA_DIR)}\`, or name that of one with --data-dir`
      : `no local platform has run on ${pathsIn(dataDir).folder}: start one there with ` +
          `\`${npxCommand("local", dataDir)}\`, or name another folder`,
  );
}

function ofEnvironment(
  options: ConnectionOptions,
  environment: Environment,
): Connection | undefined {
  if (!environment[VARIABLES.baseUrl]) return undefined;
  return { settings: read(givenBy(options), environment), origin: VARIABLES.baseUrl };
}

function ofPlatform(options: ConnectionOptions, dataDir: string): Connection | undefined {
  const identity = identityIn(dataDir);
  if (!identity) return undefined;
  const given = givenBy(options);
  const settings = read(
    {
      ...given,
      baseUrl: identity.url,
      apiKey: identity.apiKey,
      workspaceId: given.workspaceId ?? identity.workspaceId,
      dialect: given.dialect ?? identity.dialect,
      // The platform itself wrote the URL, and it has no https.
      allowInsecureHttp: given.allowInsecureHttp ?? !isLoopback(new URL(identity.url).hostname),
    },
    {},
  );
  return { settings, origin: pathsIn(dataDir).identity, dataDir };
}

/** The identity of the platform that has run on a data folder; undefined where none has. Throws `CommandFailure`. */
export function identityIn(dataDir: string): PlatformIdentity | undefined {
  try {
    return readIdentity(dataDir);
  } catch (error) {
    throw new CommandFailure(messageOf(error), { cause: error });
  }
}

/** The settings that options stand for. */
type Given = Partial<
  Record<keyof Omit<ConnectionOptions, "dataDir" | "projectFolder"> | "apiKey", unknown>
>;

/** Reads the settings with the code that reads those of Pulumi programs. */
function read(given: Given, environment: Environment): Settings {
  const config = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [NAMESPACE + name, String(value)]);
  try {
    return readSettings(Object.fromEntries(config), environment, "command");
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new CommandFailure(error.message, { cause: error });
  }
}

function givenBy(options: ConnectionOptions): Given {
  const { baseUrl, workspaceId, dialect, selfHosted, allowInsecureHttp } = options;
  return { baseUrl, workspaceId, dialect, selfHosted, allowInsecureHttp };
}

/** A command to type next, in quotes: with the options by which this one found its control plane. */
export function nextCommand(options: ConnectionOptions, ...words: string[]): string {
  const { dataDir } = options;
  const where = Object.entries({ ...givenBy(options), dataDir }).flatMap(([name, value]) =>
    value === undefined ? [] : [optionOf(name), typeof value === "string" ? value : []].flat(),
  );
  return `\`npx pulumi-agentserver ${[...words, ...where].map(shellWord).join(" ")}\``;
}

/** Says which control plane is used. */
export function announce({ settings, origin }: Connection, terminal: Terminal): void {
  note(terminal, `control plane: ${settings.baseUrl} (${origin})`);
}
