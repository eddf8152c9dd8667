import { CreateDeployment } from "../../../sdk/schema";
import { recordOf } from "../../../shared/records";
import { snakeKeys } from "../../arguments/casing";
import { known } from "../../arguments/decode";
import { bodyOf } from "../../arguments/problems";
import type { Declared } from "../declared/declared";
import { toSecrets } from "../declared/environment";

/** The members of `source_config` that the public service requires of a source, whatever is declared. */
const REQUIRED: Readonly<Record<string, object>> = {
  git_host: { build_on_push: false },
  external_container: { resource_spec: {} },
};

/** The body of the POST; parsed by the wire's schema, so that what is sent has its shape. */
export function toCreateRequest(declared: Declared, name: string): CreateDeployment {
  const { props } = declared;
  const source = known(declared.source);
  const config = snakeKeys(recordOf(props["sourceConfig"]));
  const body = {
    name,
    source,
    // An argument that the service requires of one source, it refuses for others.
    source_config: { ...REQUIRED[String(source)], ...config },
    source_revision_config: snakeKeys(recordOf(props["sourceRevisionConfig"])),
    secrets: toSecrets(declared.environment.variables),
    secret_references: known(declared.secretReferences)?.map((one) => snakeKeys({ ...one })),
  };
  return bodyOf(CreateDeployment, body, `create deployment '${name}'`);
}
