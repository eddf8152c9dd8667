import { z } from "zod";
import type { Database } from "../sqlite/database";
import { BUILT_ON_PUSH } from "./deployments";

/** A branch as of the last poll for pushes; `sha` is null if it did not exist or is not polled. */
const SeenBranch = z.object({ branch: z.string(), sha: z.string().nullable() });
type SeenBranch = z.infer<typeof SeenBranch>;

/** The tracked branch of each deployment that is built on a push. */
export class SeenBranches {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(deploymentId: string): SeenBranch | undefined {
    const sql = "SELECT branch, sha FROM seen_branches WHERE deployment_id = ?";
    return this.#database.get(SeenBranch, sql, deploymentId);
  }

  set(deploymentId: string, { branch, sha }: SeenBranch): void {
    const sql = "INSERT OR REPLACE INTO seen_branches VALUES (?, ?, ?)";
    this.#database.run(sql, deploymentId, branch, sha);
  }

  /** Forgets the commits of deployments without `build_on_push`: pushes until it is set again do not concern them. */
  forgetUntracked(): void {
    this.#database.run(`UPDATE seen_branches SET sha = NULL WHERE sha IS NOT NULL
      AND deployment_id NOT IN (SELECT d.id FROM deployments d WHERE ${BUILT_ON_PUSH})`);
  }
}
