import { type Deployment, redact } from "../../sdk";
import type { Operation } from "../host/operation";
import { recordOf } from "../../shared/records";
import type { Props } from "../inputs/props";

/** A text without any secret value that is known: of the settings, the program, the deployment and the time before. */
export function withoutSecrets(
  text: string,
  job: Operation,
  inputs: Props,
  deployment: Deployment,
): string {
  const { apiKey, bearerToken } = job.settings;
  const keys = [apiKey, bearerToken, recordOf(inputs["smokeCheck"])["apiKey"]];
  const variables = [...secretValues(inputs, deployment), ...(job.formerSecrets ?? [])];
  return redact(
    text,
    [...keys, ...variables].filter((value) => typeof value === "string"),
  );
}

/** Values of variables that are not declared in clear: the program's secrets, and what others gave the deployment. */
export function secretValues(inputs: Props, deployment: Deployment): string[] {
  const inClear = recordOf(inputs["env"]);
  const declared = Object.values(recordOf(inputs["secrets"])).map(String);
  const onService = (deployment.secrets ?? []).filter(({ name }) => !Object.hasOwn(inClear, name));
  return [...declared, ...onService.map(({ value }) => value)];
}
