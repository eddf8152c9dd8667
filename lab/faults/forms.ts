import { z } from "zod";
import { Deployment, Listener, OAuthProvider, Revision } from "../../sdk/schema";
import { isRecord, recordOf } from "../../shared/records";
import type { Answer, Passing } from "./proxy";

/** What the answers of the control plane show, by the end of their paths, and what they show of it as it is in any case. */
const SCHEMAS = {
  deployments: Deployment.omit({
    id: true,
    name: true,
    latest_revision_id: true,
    active_revision_id: true,
  }),
  revisions: Revision.omit({ id: true, status: true }),
  listeners: Listener.omit({ id: true, compute_id: true }),
  providers: OAuthProvider.omit({ id: true, provider_id: true, name: true }),
};

/** What a service answers to a change, in place of a member: nothing with 204, nothing with 200, or the id alone. */
const OF_PATCH = "(a PATCH)";

/** A member of the answers about a kind, as a service has it for the length of a history. */
export const Form = z.strictObject({
  of: z.enum(["deployments", "revisions", "listeners", "providers"]),
  member: z.string(),
  as: z.enum(["null", "absent", "another type", "another form"]),
});
export type Form = z.infer<typeof Form>;

const onText = (change: (text: string) => unknown) => (value: unknown) =>
  typeof value === "string" ? change(value) : value;
const onVariables = (changed: object) => (list: unknown) =>
  Array.isArray(list) ? list.map((variable: object) => ({ ...variable, ...changed })) : list;
const capitals = onText((id) => id.toUpperCase());
const withSlash = onText((url) => `${url}/`);

/** The same value as another service writes it. */
const OTHERWISE: Readonly<Record<string, (value: unknown) => unknown>> = {
  tenant_id: capitals,
  organization_id: capitals,
  "source_config.integration_id": capitals,
  "source_config.repo_url": onText((url) =>
    url.replace(/\.git$/, "").replace("git.example.com", "Git.Example.com"),
  ),
  "source_config.custom_url": withSlash,
  auth_url: withSlash,
  token_url: withSlash,
  "source_config.resource_spec": (spec) =>
    isRecord(spec) && typeof spec["cpu"] === "number" ? { ...spec, cpu: `${spec["cpu"]}` } : spec,
  "source_revision_config.repo_ref": onText((ref) =>
    ref.startsWith("refs/") ? ref : `refs/heads/${ref}`,
  ),
  "source_revision_config.graph_config_path": onText((path) => `./${path}`),
  "source_revision_config.image_uri": onText((image) => `${image}@sha256:${"0".repeat(64)}`),
  secrets: onVariables({ value: "****" }),
  client_id: () => "****",
};

/** Every form. */
export const FORMS: readonly Form[] = Form.shape.of.options.flatMap((of) =>
  [...membersOf(SCHEMAS[of].shape), ...(of === "revisions" ? [] : [OF_PATCH])].flatMap((member) =>
    Form.shape.as.options
      .filter((as) => as !== "another form" || member in OTHERWISE || member === OF_PATCH)
      .map((as) => ({ of, member, as })),
  ),
);

/** An object as a whole, and its members. */
function membersOf(shape: object): string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const inside = objectIn(schema);
    return [name, ...(inside ? membersOf(inside.shape).map((one) => `${name}.${one}`) : [])];
  });
}

function objectIn(schema: unknown): z.ZodObject | undefined {
  const isOptional =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable;
  if (isOptional) return objectIn(schema.unwrap());
  return schema instanceof z.ZodObject ? schema : undefined;
}

/** A list or one of a kind; a redeploy answers with the deployment. */
const PATH =
  /^\/v2\/(?:auth\/|deployments\/[^/]+\/)?(deployments|revisions|listeners|providers)(?:\/[^/?]+)?(\/redeploy)?(?:\?|$)/;

/** An answer of the control plane in these forms. */
export function inForms(forms: readonly Form[], { method, path }: Passing, answer: Answer): Answer {
  const [, found, isRedeploy] = PATH.exec(path) ?? [];
  const own = forms.filter(({ of }) => of === (isRedeploy ? "deployments" : found));
  if (own.length === 0 || answer.status >= 300 || answer.body.length === 0) return answer;
  const seen: unknown = JSON.parse(answer.body.toString());
  const short = own.find(({ member }) => method === "PATCH" && member === OF_PATCH);
  if (short?.as === "null") return { ...answer, status: 204, body: Buffer.alloc(0) };
  const shown = short ? { id: recordOf(seen)["id"] } : inAll(own, seen);
  const body = short?.as === "absent" ? "" : JSON.stringify(shown);
  return { ...answer, body: Buffer.from(body) };
}

function inAll(forms: readonly Form[], body: unknown): unknown {
  if (Array.isArray(body)) return body.map((item) => inAll(forms, item));
  if (!isRecord(body)) return body;
  const { resources } = body;
  if (resources !== undefined) return { ...body, resources: inAll(forms, resources) };
  return forms.reduce<unknown>((seen, form) => inForm(form, form.member.split("."), seen), body);
}

function inForm(form: Form, [first = "", ...rest]: readonly string[], body: unknown): unknown {
  if (!isRecord(body) || !(first in body)) return body;
  if (rest.length > 0) return { ...body, [first]: inForm(form, rest, body[first]) };
  const { [first]: value, ...others } = body;
  if (form.as === "absent") return others;
  if (form.as === "null") return { ...body, [first]: null };
  const change = form.as === "another form" ? OTHERWISE[form.member] : ofAnotherType;
  return { ...body, [first]: change?.(value) };
}

/** Of variables, items without values. */
function ofAnotherType(value: unknown): unknown {
  if (Array.isArray(value)) return onVariables({ value: undefined })(value);
  return typeof value === "string" ? 7 : isRecord(value) ? "object" : { type: typeof value };
}

/** Whether nobody can see a difference, which begins with the path of its member, in answers of these forms. */
export function isHidden(forms: readonly Form[], difference: string): boolean {
  const [path = ""] = difference.split(": ");
  return forms.some(
    ({ member }) => path.startsWith(`${member}.`) || `.${path}`.endsWith(`.${member}`),
  );
}
