import { z } from "zod";

/** What an agent server is started with; also the JSON argument of its process. A key is never part of it. */
export const AgentServerSettings = z.strictObject({
  /** Path of the SQLite file of the deployment's threads; made when it is not there. */
  database: z.string().min(1),
  /** 0 for a free one. */
  port: z.int().min(0).max(65_535).default(0),
  /** Names of the deployment's graphs; none when they are not known. */
  graphs: z.array(z.string()),
  /** Names of the environment variables that the deployment brings. */
  variables: z.array(z.string()),
  /** The commit that the server stands for, null for an image. */
  commit: z.string().nullable(),
});
export type AgentServerSettings = z.input<typeof AgentServerSettings>;
