import { z } from "zod";

/** The settings of an agent server, also the JSON argument of its process; without the key. */
export const AgentServerSettings = z.strictObject({
  /** Path of the SQLite file of the deployment's threads; created if missing. */
  database: z.string().min(1),
  /** 0 for any free one. */
  port: z.int().min(0).max(65_535).default(0),
  /** Names of the deployment's graphs; empty if unknown. */
  graphs: z.array(z.string()),
  /** Names of the deployment's environment variables. */
  variables: z.array(z.string()),
  /** The commit of the revision; null for an image. */
  commit: z.string().nullable(),
  /** The id of the revision; null if unknown. */
  revision: z.string().nullable().default(null),
});
export type AgentServerSettings = z.input<typeof AgentServerSettings>;
