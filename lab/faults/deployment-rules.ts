import type { Deployment, Revision } from "../../sdk/schema";
import { hasFailed } from "../../sdk/status";
import { recordOf } from "../../shared/records";
import type { Stored } from "./checkpoint";
import { OWNER, type Wish, type Wished, wishIn } from "./program";

/** A deployment on the service, with its revisions, newest first. */
export interface Seen {
  readonly deployment: Deployment;
  readonly revisions: readonly Revision[];
}

/** Whether a revision is one of a branch that a rollback can go back to. */
export function servedBranch({ status, source_revision_config: code }: Revision): boolean {
  const ref = code?.repo_ref;
  return status === "DEPLOYED" && typeof ref === "string" && !ref.startsWith("refs/tags/");
}

/** Differences of a deployment from a program, without values of secrets where they are not known. */
export function differences(wish: Wished, deployment: Deployment, knowsSecrets = true): string[] {
  const { source_config: config, source_revision_config: revision, secrets } = deployment;
  const there = valuesOf(secrets ?? []);
  const hidden = knowsSecrets ? {} : membersOf(there, Object.keys(wish.secrets ?? {}));
  const variables = { ...wish.env, ...wish.secrets, ...hidden };
  const declared: [string, unknown, unknown][] = [
    ["secrets", canonical(variables), canonical(there)],
    ...(wish.source === "git_host"
      ? ([
          ["repo_ref", wish.ref, revision.repo_ref],
          ["repo_url", wish.repoUrl, config.repo_url],
          ["build_on_push", wish.buildOnPush, config.build_on_push ?? false],
          ["install_command", wish.installCommand ?? null, config.install_command ?? null],
        ] satisfies [string, unknown, unknown][])
      : ([
          ["image_uri", wish.image, revision.image_uri],
          ["resource_spec.cpu", wish.cpu ?? null, wish.cpu && config.resource_spec?.["cpu"]],
          [
            "resource_spec.memory_mb",
            wish.memoryMb ?? null,
            wish.memoryMb && config.resource_spec?.["memory_mb"],
          ],
          [
            "resource_spec.annotations",
            wish.owner ?? null,
            wish.owner && ownerIn(config.resource_spec),
          ],
          ["custom_url", wish.customUrl ?? null, wish.customUrl && config.custom_url],
        ] satisfies [string, unknown, unknown][])),
  ];
  return declared
    .filter(([, ours, theirs]) => ours !== (theirs ?? null))
    .map(([name, ours, theirs]) => `${name}: declared ${String(ours)}, there ${String(theirs)}`);
}

/**
 * Whether a program declares otherwise than a state, or without one, what the service does not show: it is sent though it may
 * be there.
 */
export function isUnseen(
  state: Partial<Wished>,
  wish: Wished,
  hides: (name: string) => boolean,
): boolean {
  const hidden = ({ env, secrets, ref, image, installCommand }: Partial<Wished>) => [
    hides("secrets") && canonical({ ...env, ...secrets }),
    hides("repo_ref") && ref,
    hides("image_uri") && image,
    hides("install_command") && installCommand,
  ];
  return JSON.stringify(hidden(state)) !== JSON.stringify(hidden(wish));
}

/** An annotation of a size. */
export function ownerIn(size: unknown): unknown {
  return recordOf(recordOf(size)["annotations"])["owner"];
}

function membersOf(values: Record<string, string>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function valuesOf(secrets: NonNullable<Deployment["secrets"]>): Record<string, string> {
  return Object.fromEntries(secrets.map(({ name, value }) => [name, value ?? ""]));
}

function canonical(values: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function wrongOf(
  wish: Wish,
  { outputs }: Stored,
  { deployment, revisions }: Seen,
): string[] {
  const [newest] = revisions;
  const ready = outputs["ready"];
  // The revision of a push may fail: a warning says so, and the program does not repeat it.
  const isOfPush = wish.buildOnPush && hasFailed(newest?.status ?? "");
  const serves =
    isOfPush || (newest?.status === "DEPLOYED" && deployment.active_revision_id === newest.id);
  return [
    ...differences(wish, deployment),
    ...(ready === true ? [] : ["it is not ready after a green up"]),
    ...(serves ? [] : [`ready, but the newest revision is ${newest?.status}`]),
  ];
}

/** A resource and the deployments, before an update and after it. */
interface Updated {
  readonly former: Stored;
  readonly stored: Stored;
  readonly before: readonly Seen[];
  readonly after: readonly Seen[];
  readonly error: string;
}

const FAILED = /ended with \S+_FAILED|was interrupted on the control plane/;
const NO_GOOD_VALUES = /nothing was rolled back: (no revision has served|the state does not have)/;

/** After an update that failed, what creates a revision is as it was before, and the state says so. */
export function wrongAfterRollback({ former, stored, before, after, error }: Updated): string[] {
  const seenIn = (all: readonly Seen[]) => all.find(({ deployment: { id } }) => id === stored.id);
  const [seen, now] = [seenIn(before), seenIn(after)];
  const isGood = seen?.revisions[0]?.status === "DEPLOYED" && !NO_GOOD_VALUES.test(error);
  if (!FAILED.test(error) || !isGood || now === undefined) return [];
  // The next update follows what this rollback may have requested.
  if (/the rollback failed too:[^]*could not confirm/.test(error)) return [];
  const old = wishIn(former.outputs);
  if (differences(old, seen.deployment).length > 0) return [];
  const isRefused = error.includes("the rollback could not be requested");
  const restored = isRefused
    ? []
    : differences(old, now.deployment).filter((one) => !isKept(one, old));
  const recorded = differences(wishIn(stored.outputs), now.deployment);
  return [
    ...restored.map((difference) => `a rollback: ${difference}`),
    ...recorded.map((difference) => `the state after a rollback: ${difference}`),
  ];
}

/** Settings stay, and what had no value before. */
function isKept(difference: string, { installCommand, env }: Wished): boolean {
  return (
    /^(build_on_push|custom_url)/.test(difference) ||
    (difference.startsWith("install_command") && installCommand === undefined) ||
    (difference.startsWith("secrets") && Object.keys(env).length === 0)
  );
}

/** The body of a PATCH by which a person sets what is at the path of an input; undefined where it is not there. */
export function rotated(
  path: string,
  { secrets, source_config: { resource_spec: size } }: Deployment,
  value: string,
): object | undefined {
  if (path === "sourceRevisionConfig.repoRef")
    return { source_revision_config: { repo_ref: value } };
  if (path === "sourceRevisionConfig.imageUri")
    return { source_revision_config: { image_uri: `registry.example.com/${value}` } };
  if (path === OWNER)
    return { source_config: { resource_spec: { ...size, annotations: { owner: value } } } };
  const name = path.slice(path.indexOf(".") + 1);
  const isThere = secrets?.some((variable) => variable.name === name);
  const others = (secrets ?? []).filter((variable) => variable.name !== name);
  return isThere ? { secrets: [...others, { name, value }] } : undefined;
}
