import { messageOf } from "../../shared/errors";
import { Database } from "../sqlite/database";
import { MIGRATIONS } from "./migrations";

/** Opens the SQLite file of a deployment's threads; during a rollout two servers share it. */
export function openThreadDatabase(path: string): Database {
  try {
    return new Database(path, { access: "shared", migrations: MIGRATIONS });
  } catch (cause) {
    throw new Error(`open thread database '${path}': ${messageOf(cause)}`, { cause });
  }
}
