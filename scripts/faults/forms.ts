import { z } from "zod";
import { isRecord, textOf } from "../../shared/records";
import type { Answer, Passing } from "./proxy";

/** The members that a service may answer otherwise, by kind; ids, names and what a revision has come to are as they are. */
const MEMBERS: Readonly<Record<Kind, readonly string[]>> = {
  deployments: [
    ...["tenant_id", "source", "secrets", "status", "created_at", "updated_at", "image_version"],
    ...["url", "source_config.integration_id", "source_config.repo_url"],
    ...["source_config.deployment_type", "source_config.build_on_push", "source_config.custom_url"],
    ...["source_config.resource_spec", "source_config.install_command"],
    ...["source_config.listener_id", "source_config.listener_config"],
    ...["source_revision_config.repo_ref", "source_revision_config.graph_config_path"],
    ...["source_revision_config.image_uri", "source_revision_config.repo_commit_sha"],
  ],
  revisions: [
    ...["created_at", "updated_at", "source", "status_message", "source_revision_config"],
    ...["source_revision_config.repo_ref", "source_revision_config.image_uri"],
  ],
  listeners: ["version", "compute_type", "compute_config", "created_at", "updated_at"],
  "auth/providers": [
    ...["organization_id", "client_id", "auth_url", "token_url", "uses_pkce"],
    ...["code_challenge_method", "created_at", "updated_at", "provider_type"],
  ],
};

const Kind = z.enum(["deployments", "revisions", "listeners", "auth/providers"]);
type Kind = z.infer<typeof Kind>;

/** What a service answers to a change, in place of a member: nothing with 204, nothing with 200, or the id alone. */
const OF_PATCH = "(a PATCH)";

/** A member of the answers about a kind, as a service has it for the length of a history. */
export const Form = z.strictObject({
  of: Kind,
  member: z.string(),
  as: z.enum(["null", "absent", "another type", "another form"]),
});
export type Form = z.infer<typeof Form>;

/** The same value as another service writes it. */
const OTHERWISE: Readonly<Record<string, (value: unknown) => unknown>> = {
  tenant_id: capitals,
  organization_id: capitals,
  "source_config.integration_id": capitals,
  "source_config.repo_url": (url) =>
    textOf(url)
      ?.replace(/\.git$/, "")
      .replace("git.example.com", "Git.Example.com"),
  "source_config.custom_url": withEnd("/"),
  auth_url: withEnd("/"),
  token_url: withEnd("/"),
  "source_config.resource_spec": (spec) =>
    isRecord(spec) ? { ...spec, cpu: spec["cpu"] === null ? null : String(spec["cpu"]) } : spec,
  "source_revision_config.repo_ref": (ref) =>
    textOf(ref)?.startsWith("refs/") === false ? `refs/heads/${String(ref)}` : ref,
  "source_revision_config.graph_config_path": (path) =>
    path === null ? null : `./${String(path)}`,
  "source_revision_config.image_uri": withEnd(`@sha256:${"0".repeat(64)}`),
  secrets: (secrets) => variables(secrets, { value: "****" }),
  client_id: () => "****",
};

/** A member of another type; variables without their values. */
function ofAnotherType(member: string, value: unknown): unknown {
  if (member === "secrets") return variables(value, { value: undefined });
  return typeof value === "string" ? 7 : isRecord(value) ? "object" : { type: typeof value };
}

function capitals(id: unknown): unknown {
  return textOf(id)?.toUpperCase() ?? id;
}

function withEnd(end: string): (text: unknown) => unknown {
  return (text) => (typeof text === "string" ? `${text}${end}` : text);
}

function variables(secrets: unknown, changed: object): unknown {
  return Array.isArray(secrets)
    ? secrets.map((variable: object) => ({ ...variable, ...changed }))
    : secrets;
}

/** Every form. */
export const FORMS: readonly Form[] = Kind.options.flatMap((of) =>
  [...MEMBERS[of], OF_PATCH].flatMap((member) =>
    Form.shape.as.options
      .filter((as) => as !== "another form" || member in OTHERWISE || member === OF_PATCH)
      .map((as) => ({ of, member, as })),
  ),
);

/** An answer of the control plane in these forms. */
export function inForms(forms: readonly Form[], { method, path }: Passing, answer: Answer): Answer {
  const kind = kindOf(path);
  const own = forms.filter(({ of }) => of === kind);
  if (own.length === 0 || answer.status >= 300 || answer.body.length === 0) return answer;
  const seen: unknown = JSON.parse(answer.body.toString());
  const short = method === "PATCH" ? own.find(({ member }) => member === OF_PATCH) : undefined;
  if (short) return shortened(short, answer, seen);
  const body = JSON.stringify(inAll(own, seen));
  return { ...answer, body: Buffer.from(body) };
}

function kindOf(path: string): Kind | undefined {
  const [, first = "", second] =
    /^\/v2\/(auth\/providers|\w+)(?:\/[^/?]+\/(\w+))?/.exec(path) ?? [];
  const isRevision = second === "revisions" && !/\/(redeploy|logs)(\?|$)/.test(path);
  return isRevision ? "revisions" : Kind.safeParse(first).data;
}

function shortened({ as }: Form, answer: Answer, seen: unknown): Answer {
  if (as === "null") return { ...answer, status: 204, body: Buffer.alloc(0) };
  const { id } = z.looseObject({ id: z.string() }).parse(seen);
  const body = as === "absent" ? "" : JSON.stringify(as === "another type" ? [] : { id });
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
  switch (form.as) {
    case "absent":
      return others;
    case "null":
      return { ...body, [first]: null };
    case "another type":
      return { ...body, [first]: ofAnotherType(form.member, value) };
    case "another form":
      return { ...body, [first]: OTHERWISE[form.member]?.(value) };
  }
}

/** What is different and not shown, by the member: a change by hand stays there. */
const HIDES: Readonly<Record<string, RegExp>> = {
  secrets: /^variables:/,
  compute_config: /^namespaces:/,
  "source_revision_config.repo_ref": /^ref:/,
  "source_revision_config.image_uri": /^image:/,
  "source_config.build_on_push": /^buildOnPush:/,
  "source_config.custom_url": /^customUrl:/,
  "source_config.install_command": /^installCommand:/,
  "source_config.resource_spec": /^(cpu|memory|owner):/,
};

/** Whether nobody can see a difference in answers of these forms. */
export function hidden(forms: readonly Form[], difference: string): boolean {
  return forms.some(({ member }) => HIDES[member]?.test(difference));
}
