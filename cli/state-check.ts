import { z } from "zod";
import { providerText } from "../shared/provider-text";
import { textOf } from "../shared/records";
import { NAMESPACE, plainTextProblem, SECRETS } from "../settings/source";
import { bad, type Check, good } from "./checks";

const Values = z.record(z.string(), z.unknown()).nullish();
const Resource = z.object({ urn: z.string(), inputs: Values, outputs: Values });
const Export = z.object({ deployment: z.object({ resources: z.array(Resource).default([]) }) });

/** Whether all code in a state, as `pulumi stack export` prints it, is this package's. Each command runs that code. */
export function codeCheck(state: string): Check {
  const foreign = Export.parse(JSON.parse(state)).deployment.resources.filter(
    ({ inputs, outputs }) => [inputs, outputs].some((values) => isForeign(values?.["__provider"])),
  );
  if (foreign.length === 0) return good("state", "no code but of pulumi-agentserver");
  return bad(
    "state",
    `code that is not of pulumi-agentserver: ${foreign.map(({ urn }) => urn).join(", ")}`,
    "if your program does not declare it, restore an earlier state first: each command runs it",
  );
}

const Configuration = z.record(z.string(), z.object({ secret: z.boolean().default(false) }));

/** Whether a stack's configuration, as `pulumi config --json` prints it, has each key encrypted. */
export function configurationCheck(configuration: string): Check {
  const values = Configuration.parse(JSON.parse(configuration));
  const plain = SECRETS.filter((name) => values[NAMESPACE + name]?.secret === false);
  const problem = plainTextProblem(plain);
  const subject = "configuration of the stack";
  if (problem === undefined) return good(subject, "no key in plain text");
  return bad(
    subject,
    problem,
    "the value is in Pulumi.<stack>.yaml and its history: consider a new key",
  );
}

function isForeign(code: unknown): boolean {
  if (code === undefined) return false;
  const text = textOf(code) ?? "";
  const lifecycle = text.slice(text.lastIndexOf(".") + 1, -1);
  return !/^\w+$/.test(lifecycle) || text !== providerText(lifecycle);
}
