import { z } from "zod";
import { DIALECTS } from "../../sdk/dialect";
import { LogType } from "../../sdk/schema";
import { isOrigin } from "../http/origin";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** The flags of each command, as `parseArgs` wants them. */
export const FLAGS = {
  local: {
    port: text,
    "data-dir": text,
    driver: text,
    "stage-seconds": text,
    dialect: text,
    hosting: text,
    "max-servers": text,
    listen: text,
    "agent-auth": flag,
    "allow-origin": { type: "string", multiple: true },
    json: flag,
  },
  logs: { "data-dir": text, revision: text, type: text },
} as const;

const number = (words: string, schema: z.ZodNumber) =>
  z
    .string(words)
    .refine((given) => schema.safeParse(given.trim() === "" ? NaN : Number(given)).success, words)
    .transform(Number)
    .optional();
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be ${values.join(" or ")}`).optional();
const NO_ORIGIN = "must be an origin, such as http://localhost:3000";
const folder = z.string("must name a folder").min(1, "must name a folder").optional();

/** What the flags of `local` come to. */
export const LocalFlags = z
  .object({
    port: number("must be a port, 0 to 65535", z.int().min(0).max(65535)),
    "data-dir": folder,
    driver: oneOf(["process", "simulated"]),
    "stage-seconds": number("must be a number of seconds, 0 or more", z.number().min(0)),
    dialect: oneOf(DIALECTS),
    hosting: oneOf(["cloud", "self-hosted"]),
    "max-servers": number("must be a whole number from 1", z.int().min(1)),
    listen: z.string("must be an address").min(1, "must be an address").optional(),
    "agent-auth": z.boolean("takes no value").default(false),
    "allow-origin": z.array(z.string(NO_ORIGIN).refine(isOrigin, NO_ORIGIN)).optional(),
    json: z.boolean("takes no value").default(false),
  })
  .transform((flags) => ({
    json: flags.json,
    options: {
      port: flags.port,
      dataDir: flags["data-dir"],
      driver: flags.driver,
      stageSeconds: flags["stage-seconds"],
      dialect: flags.dialect,
      hosting: flags.hosting,
      maxServers: flags["max-servers"],
      listen: flags.listen,
      agentAuth: flags["agent-auth"],
      allowOrigins: flags["allow-origin"],
    },
  }));

/** What the flags of `logs` come to. */
export const LogsFlags = z
  .object({
    "data-dir": folder,
    revision: z.guid("must be a revision's id").optional(),
    type: oneOf(LogType.options),
  })
  .transform((flags) => ({
    dataDir: flags["data-dir"],
    revisionId: flags.revision,
    type: flags.type,
  }));
