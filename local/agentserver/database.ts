import { messageOf } from "../../shared/errors";
import { Database, OtherSchemaError } from "../sqlite/database";
import { SCHEMA } from "./schema";

/** Opens the SQLite file of a deployment's threads; during a rollout two servers share it. */
export function openThreadDatabase(path: string): Database {
  try {
    return new Database(path, { access: "shared", schema: SCHEMA });
  } catch (cause) {
    const advice =
      cause instanceof OtherSchemaError
        ? ": keep using that release, remove this file with its threads, or remove everything with " +
          "`npx pulumi-agentserver local reset`"
        : "";
    throw new Error(`open thread database '${path}': ${messageOf(cause)}${advice}`, { cause });
  }
}
