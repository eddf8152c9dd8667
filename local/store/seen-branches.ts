import { z } from "zod";
import type { Database } from "../sqlite/database";
import { BUILT_ON_PUSH } from "./deployments";

/** A branch as the last look for pushes found it; `sha` is null when it did not exist, or nobody looks any more. */
const SeenBranch = z.object({ branch: z.string(), sha: z.string().nullable() });
type SeenBranch = z.infer<typeof SeenBranch>;

/** The branch of each deployment that is built on a push. */
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

  /** Forgets the commits of deployments that are not built on a push any more: what is pushed from now on is not theirs. */
  forgetUntracked(): void {
    this.#database.run(`UPDATE seen_branches SET sha = NULL WHERE sha IS NOT NULL
      AND deployment_id NOT IN (SELECT d.id FROM deployments d WHERE ${BUILT_ON_PUSH})`);
  }
}
