import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordOf, textOf } from "../../../shared/records";

/** The schema of the package, as `pulumi package get-schema` shows it. It lies beside the compiled provider. */
export function schemaText(): string {
  return readFileSync(join(__dirname, "schema.json"), "utf8");
}

/** The version of the package. */
export function packageVersion(): string {
  return textOf(recordOf(JSON.parse(schemaText()))["version"]) ?? "";
}
