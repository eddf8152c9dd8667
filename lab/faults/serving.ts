import { createHash } from "node:crypto";
import { Deployment, DeploymentsList, RevisionsList } from "../../sdk/schema";
import { recordOf, textOf } from "../../shared/records";
import { type Props, valueAt } from "../../provider/arguments/props";
import { withoutSecretForm } from "../../provider/arguments/secrets";
import type { Answer, Passing } from "./proxy";
import type { Workspace } from "./environment";

/** The path of an annotation, which a program may make secret. */
export const OWNER = "sourceConfig.resourceSpec.annotations.owner";

/** The variables that arguments declare. */
export function variablesIn({ env, secrets }: Props): Record<string, unknown> {
  return { ...recordOf(env), ...recordOf(secrets) };
}

/** Those that the service has. */
export function variablesOf(secrets: Deployment["secrets"]): Record<string, string> {
  return Object.fromEntries((secrets ?? []).map(({ name, value }) => [name, value ?? ""]));
}

/** A call of the engine about a deployment of a program. */
export interface Asking {
  /** Tells it from the other calls of the history. */
  readonly call: string;
  /** As the program declares them. */
  readonly inputs: Props;
  /** Paths of inputs that the program ignores. */
  readonly ignored: readonly string[];
  /** Whether the provider may have read other values than the service has. */
  readonly isMisled: boolean;
}

/** A revision as it was requested, with the commit that its branch had then. */
interface Made {
  readonly ref: string | null;
  readonly commit: string | null;
  readonly image: string | null;
  readonly owner: string | null;
  readonly variables: Readonly<Record<string, string>>;
  /** The stack whose program has requested it; empty for everybody else. */
  readonly by: string;
  /** The declaration at that time; nothing where a person, a push or a late request has created it. */
  readonly declared: Props | undefined;
  /** Whether the program ignores the code that it has. */
  readonly keepsCode: boolean;
  /** The call that has created another one before, and so takes that one back. */
  readonly further: string | undefined;
}

/** Of the two a program declares the one of its source. */
const CODE = ["sourceRevisionConfig.repoRef", "sourceRevisionConfig.imageUri"];

const REDEPLOY = /^\/v2\/deployments\/[^/]+\/revisions\/([^/]+)\/redeploy$/;

/**
 * The revisions of a history's deployments: who has requested each, of what, and whether it may serve. The platform has
 * a revision serve in the same write by which it is DEPLOYED, and none leaves that status: so no moment is missed.
 * The branches of its simulated driver never move. Here they do, and answers show their commits.
 */
export class Serving {
  readonly #workspace: Workspace;
  readonly #report: (violation: string, revisionId?: string) => void;
  /** By id, the oldest first. */
  readonly #made = new Map<string, Made>();
  /** The newest one of each deployment, and the call that has created its newest one. */
  readonly #newest = new Map<string, Made>();
  readonly #calls = new Map<string, string>();
  /** The active one of each deployment when it was compared: what has served since is another one. */
  readonly #active = new Map<string, Deployment["active_revision_id"]>();
  /** Of each deployment, variables that programs have declared and people have set, as `NAME=value`. */
  readonly #known = new Map<string, Set<string>>();
  /** Of each deployment, the commits and images that people and programs have deployed. */
  readonly #deployed = new Map<string, { readonly by: string; readonly code: string }[]>();
  /** The calls of killed processes, which could not interrupt what puts variables back. */
  readonly #cutShort = new Set<string>();
  /** Revisions that pushes have created. */
  readonly pushed = new Set<string>();
  /** The commits of branches that have moved. */
  readonly #heads = new Map<string, string>();

  constructor(workspace: Workspace, report: (violation: string, revisionId?: string) => void) {
    this.#workspace = workspace;
    this.#report = report;
  }

  /** Somebody pushes to a branch, which may create revisions. */
  async push(repoUrl: string, ref: string, sha: string, create: () => number): Promise<number> {
    this.#heads.set(`${repoUrl}${ref}`, sha);
    const count = create();
    for (const id of await this.look()) this.pushed.add(id);
    return count;
  }

  /** The process of a call is killed. */
  cutShort(call: string): void {
    this.#cutShort.add(call);
  }

  /** Learns by the service's answer which revision a request has created. */
  learn(
    { method, path }: Passing,
    { status, body }: Answer,
    asking: () => Asking | undefined,
  ): void {
    if (method === "GET" || status >= 300 || !path.startsWith("/v2/deployments")) return;
    const { data } = Deployment.safeParse(JSON.parse(body.toString() || "null"));
    if (data) this.#add(data, asking(), REDEPLOY.exec(path)?.[1]);
  }

  /** Looks at all: what is new is a person's, or a push has created it. Returns the ids of these. */
  async look(): Promise<string[]> {
    const { resources } = await this.#workspace.get(DeploymentsList, "/v2/deployments?limit=100");
    const added = resources.flatMap((deployment) => this.#add(deployment) ?? []);
    for (const { id, active_revision_id: active } of resources) {
      if (active && this.#active.get(id) !== active) await this.check(id);
      this.#active.set(id, active);
    }
    return added;
  }

  #add(deployment: Deployment, asking?: Asking, redeployed?: string): string | undefined {
    const { latest_revision_id: id, source_config: config } = deployment;
    if (!id || this.#made.has(id)) return undefined;
    const { repo_ref: ref = null, image_uri: image = null } = deployment.source_revision_config;
    const origin = `${config.repo_url}${ref}`;
    const head = this.#heads.get(origin) ?? createHash("sha1").update(origin).digest("hex");
    const former = this.#newest.get(deployment.id);
    const { ignored = [] } = asking ?? {};
    const isSameCode = former?.ref === ref && former.image === image;
    const made: Made = {
      ref,
      image,
      owner: textOf(valueAt(config, "resource_spec.annotations.owner")) ?? null,
      commit: this.#made.get(redeployed ?? "")?.commit ?? (ref === null ? null : head),
      variables: variablesOf(deployment.secrets),
      by: asking?.call.split(".")[0] ?? "",
      declared: asking && recordOf(withoutSecretForm(asking.inputs)),
      keepsCode: isSameCode && ignored.some((path) => CODE.includes(path)),
      further: this.#calls.get(deployment.id) === asking?.call ? asking?.call : undefined,
    };
    this.#know(deployment.id, made);
    if (asking?.isMisled !== true) this.#compareIgnored(made, former, ignored);
    if (asking) this.#calls.set(deployment.id, asking.call);
    this.#made.set(id, made);
    this.#newest.set(deployment.id, made);
    return id;
  }

  #know(deploymentId: string, made: Made): void {
    const { variables, declared } = made;
    const own = declared ? variablesIn(declared) : variables;
    const known = this.#known.get(deploymentId) ?? [];
    this.#known.set(deploymentId, new Set([...known, ...pairsOf(own)]));
    const deployed = this.#deployed.get(deploymentId) ?? [];
    this.#deployed.set(deploymentId, [...deployed, { by: made.by, code: codeOf(made) }]);
  }

  /** What the program ignores stays as the service has it. */
  #compareIgnored(made: Made, former: Made | undefined, ignored: readonly string[]): void {
    for (const path of ignored) {
      const [before, now] = [former && shownAt(former, path), shownAt(made, path)];
      if (before !== undefined && now !== before)
        this.#report(`the ignored ${path} was ${before}, and an up has sent ${now}`);
    }
  }

  /** Compares what has served of a deployment with what was declared. */
  async check(deploymentId: string): Promise<void> {
    const path = `/v2/deployments/${deploymentId}/revisions?limit=100`;
    const list = await this.#workspace.find(RevisionsList, path);
    const served = (list?.resources ?? []).filter(({ status }) => status === "DEPLOYED");
    const good: Made[] = [];
    for (const { id } of served.toReversed()) {
      const made = this.#made.get(id);
      const wrong = made ? this.#wrongOf(made, good, deploymentId) : ["it"];
      if (made) good.push(made);
      for (const what of wrong)
        this.#report(`revision ${id} has served, and nobody has declared ${what}`, id);
    }
  }

  #wrongOf(made: Made, good: readonly Made[], deploymentId: string): string[] {
    const { ref, commit, image, variables, declared, further } = made;
    if (!declared) return [];
    const isDeclared =
      (further === undefined || this.#cutShort.has(further)) &&
      (made.keepsCode ||
        CODE.every((path) => (valueAt(declared, path) ?? null) === shownAt(made, path)));
    const known = this.#known.get(deploymentId) ?? new Set();
    const hasServed = good.some((other) => codeOf(other) === codeOf(made));
    const isOthers = (this.#deployed.get(deploymentId) ?? []).some(
      (one) => one.by !== made.by && one.code === codeOf(made),
    );
    const isExplained = isDeclared || hasServed || isOthers;
    const code = commit === null ? `image ${image}` : `commit ${commit} of ${ref}`;
    const foreign = pairsOf(variables).filter((pair) => !known.has(pair));
    return isExplained ? foreign : [code, ...foreign];
  }

  /** An answer with the commits of branches, where some have moved. */
  shown({ path }: Passing, answer: Answer): Answer {
    const { status, body } = answer;
    const isOf = path.startsWith("/v2/deployments") && this.#heads.size > 0;
    if (!isOf || status >= 300 || body.length === 0) return answer;
    const shown = this.#withCommits(JSON.parse(body.toString()));
    return { ...answer, body: Buffer.from(JSON.stringify(shown)) };
  }

  #withCommits(body: unknown): unknown {
    const { resources, id, latest_revision_id: latest = id, ...rest } = recordOf(body);
    if (Array.isArray(resources))
      return { ...recordOf(body), resources: resources.map((item) => this.#withCommits(item)) };
    const made = this.#made.get(textOf(latest) ?? "");
    if (!made) return body;
    const { source_revision_config: config } = rest;
    const nested = config === undefined ? {} : { source_revision_config: ofCommit(config, made) };
    return { ...ofCommit(body, made), ...nested };
  }
}

/** A commit that is known already. */
function ofCommit(config: unknown, { commit }: Made): Record<string, unknown> {
  const isKnown = typeof recordOf(config)["repo_commit_sha"] === "string";
  return { ...recordOf(config), ...(isKnown && { repo_commit_sha: commit }) };
}

/** What a revision runs. */
function codeOf({ commit, image }: Made): string {
  return commit ?? String(image);
}

function shownAt({ ref, image, owner, variables }: Made, path: string): string | null | undefined {
  if (path === "sourceRevisionConfig.repoRef") return ref;
  if (path === "sourceRevisionConfig.imageUri") return image;
  if (path === OWNER) return owner;
  return variables[/^(?:env|secrets)\.(.+)$/.exec(path)?.[1] ?? ""];
}

function pairsOf(variables: Props): string[] {
  return Object.entries(variables).map((pair) => pair.join("="));
}
