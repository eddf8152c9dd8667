import type { CreateDeployment } from "../../../sdk";
import { recordOf } from "../../../shared/records";
import { snakeKeys } from "../../arguments/casing";
import { bodyOf } from "../../arguments/problems";
import type { Declared } from "../declared/declared";
import { toSecrets } from "../declared/environment";

/** The members of `source_config` that the public service requires of a source, whatever is declared. */
const REQUIRED: Readonly<Record<string, object>> = {
  git_host: { build_on_push: false },
  external_container: { resource_spec: {} },
};

/** The body of the POST; parsed by the wire's schema, so that what is sent has its shape. */
export async function toCreateRequest(
  { inputs, values: { source }, environment }: Declared,
  name: string,
): Promise<CreateDeployment> {
  const schema = await import("../../../sdk/schema/index.js");
  const config = snakeKeys(recordOf(inputs["sourceConfig"]));
  const body = {
    name,
    source,
    // What the service requires of a source it refuses for others.
    source_config: { ...REQUIRED[String(source)], ...config },
    source_revision_config: snakeKeys(recordOf(inputs["sourceRevisionConfig"])),
    secrets: toSecrets(environment.variables),
  };
  return bodyOf(schema.CreateDeployment, body, `create deployment '${name}'`);
}
