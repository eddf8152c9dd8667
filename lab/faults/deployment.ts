import {
  type Deployment,
  DeploymentsList,
  IntegrationsList,
  type Revision,
  RevisionsList,
} from "../../sdk/schema";
import { hasFailed } from "../../sdk/status";
import { mapMembers, recordOf, textOf } from "../../shared/records";
import { type Props, valueAt } from "../../provider/arguments/props";
import { withoutSecretForm } from "../../provider/arguments/secrets";
import type { ResourceKind } from "./kinds";
import type { Random } from "./random";
import { OWNER, variablesIn, variablesOf } from "./serving";
import {
  type Argument,
  differences,
  isLike,
  type Kind,
  SECRET,
  subjectOf,
  type Upped,
  wireOf,
  withValue,
} from "./subject";
import type { Stored } from "./checkpoint";
import type { Trial } from "./trial";

/** A deployment on the service, with its revisions, newest first. */
interface Seen extends Deployment {
  readonly revisions: readonly Revision[];
}

const NAME_OF = /deployment (\S+) has this name/;
const TAKEN = /create deployment '\S+': deployment (\S+) has this name already, /;
const FAILED = /ended with \S+_FAILED|was interrupted on the control plane/;
const NO_GOOD_VALUES = /nothing was rolled back: (no revision has served|the state does not have)/;
const PATH = "/v2/deployments";
const [REF, IMAGE] = ["sourceRevisionConfig.repoRef", "sourceRevisionConfig.imageUri"];
const [BUILDS, COMMAND] = ["sourceConfig.buildOnPush", "sourceConfig.installCommand"];
const [SIZE, CUSTOM_URL] = ["sourceConfig.resourceSpec", "sourceConfig.customUrl"];

/** In seconds: longer than clocks differ and than a roll-out takes; each poll of a service that is away costs a lot. */
const LONG = 300;

/** Whether nobody pushes to a ref. */
const isTag = (ref: unknown): boolean => String(ref).startsWith("refs/tags/");
const numbered =
  (begin: string, end = "") =>
  (how: Random): string =>
    `${begin}${how.below(4)}${end}`;
const pairs = (values: Props) => Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The values that the program has made secret begin with the mark. */
function tableOf(isGit: boolean, mark: string): Argument<Seen>[] {
  const git: Argument<Seen>[] = [
    {
      path: "sourceConfig.repoUrl",
      replaces: true,
      change: numbered("https://git.example.com/", ".git"),
    },
    {
      path: REF,
      change: (how) => numbered(how.pick([`refs/tags/${mark}v`, `${mark}branch-`]))(how),
    },
    {
      path: BUILDS,
      wanted: (args) => valueAt(args, BUILDS) ?? false,
      there: (seen) => seen.source_config.build_on_push ?? false,
      change: (how) => how.chance(0.5) || undefined,
    },
    { path: COMMAND, change: numbered(`npm ci --tag=${mark}`) },
  ];
  const image: Argument<Seen>[] = [
    { path: IMAGE, change: numbered(`registry.example.com/support:${mark}`) },
    { path: `${SIZE}.cpu`, isOptional: true, change: (how) => 1 + how.below(4) },
    { path: `${SIZE}.memoryMb`, isOptional: true, change: (how) => 1024 * (1 + how.below(4)) },
    { path: OWNER, isOptional: true, change: numbered(mark) },
    { path: CUSTOM_URL, isOptional: true, change: numbered(`https://${mark}`, ".example.com") },
  ];
  return [
    { path: "name", isOptional: true, replaces: true },
    ...(isGit ? git : image),
    {
      path: "env",
      wire: "secrets",
      wanted: (args) => pairs(variablesIn(args)),
      there: ({ secrets }) => pairs(variablesOf(secrets)),
    },
    { path: "env.LEVEL", isHidden: true, change: numbered("") },
    { path: "env.EXTRA", isHidden: true, change: numbered("") },
    { path: "secrets.KEY", isHidden: true, change: numbered(SECRET) },
    { path: "secrets.TOKEN", isHidden: true, change: numbered(`${SECRET}of-`) },
    { path: "redeployOn", isHidden: true, change: numbered("") },
    { path: "wait.timeoutSeconds", isHidden: true, change: (how) => how.pick([LONG, 3]) },
  ];
}

/** A deployment: with a name or none, from git or an image. */
export const deployment: ResourceKind = {
  async first({ workspace, place }, shape) {
    const [integration] = await workspace.get(
      IntegrationsList,
      "/v1/integrations/git_host/install",
    );
    const mark = shape.chance(0.3) ? SECRET : "";
    const maybe = (probability: number, member: Props) => (shape.chance(probability) ? member : {});
    const git = {
      source: "git_host",
      sourceConfig: {
        integrationId: integration?.id,
        repoUrl: "https://git.example.com/acme/support.git",
        deploymentType: "dev",
      },
      sourceRevisionConfig: {
        repoRef: shape.pick([`refs/tags/${mark}v1`, `${mark}main`, `${mark}main`]),
        graphConfigPath: "langgraph.json",
      },
    };
    const size = {
      ...maybe(0.5, { cpu: 2 }),
      ...maybe(0.5, { memoryMb: 2048 }),
      ...maybe(0.5, { annotations: { owner: `${mark}0` } }),
    };
    const image = {
      source: "external_container",
      sourceConfig: { resourceSpec: size },
      sourceRevisionConfig: { imageUri: `registry.example.com/support:${mark}1` },
    };
    return {
      ...(shape.chance(0.5) ? git : image),
      ...maybe(0.3, { name: `name-of-${place.logicalName}` }),
      env: { LEVEL: "0" },
      ...maybe(0.5, { secrets: { KEY: `${SECRET}0` } }),
      ...maybe(0.7, { onFailure: "rollback" }),
      wait: { timeoutSeconds: shape.pick([LONG, LONG, LONG, 3]) },
    };
  },
  subject: (trial, args) => deploymentSubject(trial, args),
};

function kindOf({ workspace }: Trial, args: Props): Kind<Seen> {
  const isGit = args["source"] === "git_host";
  const mark = JSON.stringify(args["sourceRevisionConfig"]).includes(SECRET) ? SECRET : "";
  const table = tableOf(isGit, mark);
  const revision = isGit ? REF : IMAGE;
  const image = { source_revision_config: { image_uri: "registry.example.com/theirs:1" } };
  const branch = {
    source_revision_config: { repo_ref: "theirs" },
    source_config: { build_on_push: false },
  };
  const secretPaths = [COMMAND, CUSTOM_URL, OWNER, revision];
  return {
    type: "deployment",
    table,
    ignorable: ["env.LEVEL", "secrets.KEY", revision, "env", ...(isGit ? [] : [OWNER])],
    ...(mark !== "" && { secretPaths }),
    url: PATH,
    send: workspace.send,
    async all() {
      const { resources } = await workspace.get(DeploymentsList, `${PATH}?limit=100`);
      const seen = resources.map(async (one) => {
        // It may be gone a moment later.
        const list = await workspace.find(RevisionsList, `${PATH}/${one.id}/revisions?limit=100`);
        return list ? [{ ...one, revisions: list.resources }] : [];
      });
      return (await Promise.all(seen)).flat();
    },
    idOf: ({ id }) => id,
    drift: (how) =>
      how.pick([
        { secrets: [{ name: "LEVEL", value: `theirs-${how.below(99)}` }] },
        isGit ? branch : image,
      ]),
    key: "name",
    conflict: (name) => ({
      name,
      source: "external_container",
      source_config: { resource_spec: {} },
      ...image,
      secrets: [],
    }),
    taken: NAME_OF,
    declare(all) {
      const builds = isGit && !isTag(valueAt(all, REF)) && valueAt(all, BUILDS) === true;
      const code = isGit ? withValue(all, BUILDS, builds || undefined) : all;
      return { ...code, onFailure: builds ? undefined : all["onFailure"] };
    },
    differs: /adopt deployment '\S+' \((\S+)\): .* differ/,
    adopts: true,
  };
}

function deploymentSubject(trial: Trial, first: Props) {
  const { environment, workspace, serving } = trial;
  const kind = kindOf(trial, first);
  const { table } = kind;
  const subject = subjectOf(trial, kind, first);
  const declared = subject.declaredArgs;
  let count = 0;
  let before: Seen[] = [];
  /** What asks for a revision each time it changes. */
  const askingOf = (all: Props) => JSON.stringify([all["redeployOn"], valueAt(all, COMMAND)]);
  const asking = () => askingOf(declared());
  /** As it was when an `up` succeeded. */
  let asked = askingOf({});
  /** The program whose update could not be confirmed; none after one that was. */
  let indeterminate: string | undefined;
  const rollsBack = (): boolean => declared()["onFailure"] === "rollback";

  /** The most revisions that a command may create of a deployment that was there before it, and what it is afterwards. */
  const mayMake = (known: Seen, now: Seen, upped: Upped): number => {
    const { former, isRetried, isFaithful } = upped;
    const recorded = argumentsIn(former?.outputs ?? declared());
    // What a killed update has created is created again where a replica does not show it.
    const isUnseen = !isFaithful && known.revisions[0]?.id !== former?.outputs["latestRevisionId"];
    const isBroken = hasFailed(known.revisions[0]?.status ?? "");
    // A request that may still arrive is overruled, also where the program is back at what the service has.
    const isOverruled = indeterminate !== undefined && indeterminate !== JSON.stringify(declared());
    const differs = differences(table, declared(), known).length > 0;
    const isAsked = [asked, askingOf(recorded)].some((one) => one !== asking());
    const isNeeded = isAsked || isBroken || isOverruled || isUnseen || differs;
    // A commit of a branch is redeployed after variables are put back, which creates a revision too. A hook may change them again.
    const seen = [known, now].flatMap((one) => differences(table, declared(), one));
    const isPutBack = seen.some((one) => one.startsWith("secrets"));
    const rollback = known.revisions.some(servedBranch) && (isPutBack || isRetried) ? 2 : 1;
    return (isNeeded ? 1 : 0) + (first["onFailure"] === "rollback" ? rollback : 0);
  };

  /** A resource is ready only where the revision that it follows serves. Where an `up` has created one, it is that one. */
  const falselyReady = (
    there: readonly Seen[],
    stored: Stored | undefined,
    isDone: boolean,
  ): string[] => {
    const followedId = textOf(valueAt(stored?.outputs, "rollout.revisionId"));
    const seen = there.find(({ id }) => id === stored?.id);
    if (!seen || stored?.outputs["ready"] !== true || !stored.outputs["rollout"]) return [];
    const followed = seen.revisions.find(({ id }) => id === followedId);
    if (followed && !["DEPLOYED", "SKIPPED"].includes(followed.status))
      return [`ready, but revision ${followed.id} is ${followed.status}`];
    const known = before.find(({ id }) => id === seen.id)?.revisions ?? [];
    const created = seen.revisions.filter(({ id }) => !known.some((one) => one.id === id));
    const isFollowed = created.length === 0 || created.some(({ id }) => id === followedId);
    return !isDone || isFollowed ? [] : [`ready by ${followedId}, but created ${created[0]?.id}`];
  };

  /** After an update that failed, what creates a revision is as it was before, and the state says so. */
  const wrongAfterRollback = (former: Stored, stored: Stored, after: Seen[], error: string) => {
    const [seen, now] = [before, after].map((all) => all.find(({ id }) => id === stored.id));
    const [newest] = seen?.revisions ?? [];
    // An older state that was restored does not know the newest revision, nor what it has.
    const isKnown = newest?.id === former.outputs["latestRevisionId"];
    const isGood = isKnown && newest?.status === "DEPLOYED" && !NO_GOOD_VALUES.test(error);
    // The next update follows what a rollback may have requested that could not be confirmed.
    const isOpen = /the rollback failed too:[^]*could not confirm/.test(error);
    const old = argumentsIn(former.outputs);
    if (!FAILED.test(error) || !seen || !isGood || !now || isOpen) return [];
    if (differences(table, old, seen).length > 0) return [];
    const isRefused = error.includes("the rollback could not be requested");
    const restored = isRefused
      ? []
      : differences(table, old, now).filter((one) => !isKept(one, old));
    // Variables are put back before a branch is redeployed: where that is cut off, the next update sends the new ones again.
    const isCut = isRefused && differences(table, old, now).length === 0;
    const recorded = isCut ? [] : differences(table, argumentsIn(stored.outputs), now);
    return [
      ...restored.map((difference) => `a rollback: ${difference}`),
      ...recorded.map((difference) => `the state after a rollback: ${difference}`),
    ];
  };

  return {
    ...subject,
    async push(how: Random) {
      const [repoUrl, ref] = ["sourceConfig.repoUrl", REF].map((path) =>
        textOf(valueAt(declared(), path)),
      );
      if (!repoUrl || !ref || isTag(ref)) return undefined;
      const sha = String(how.below(9)).repeat(40);
      const create = () => {
        environment.seen.clear();
        return environment.platform.admin.push({ repoUrl, ref, sha });
      };
      return `pushes to ${ref}: ${await serving.push(repoUrl, ref, sha, create)} revisions`;
    },
    async rotate(path: string) {
      const [seen] = await subject.own();
      const theirs = `theirs-${(count += 1)}`;
      const row = table.find((one) => one.path === path);
      const body = seen && rotated(seen, path, row && wireOf(row), theirs);
      if (body === undefined) return undefined;
      return `sets ${path} to ${theirs}: ${await workspace.send("PATCH", `${PATH}/${seen?.id}`, body)}`;
    },
    async injectFailure(how: Random) {
      const [seen] = await subject.own();
      const [stage, status] = how.pick([
        ["build", "BUILD_FAILED"],
        ["deploy", "DEPLOY_FAILED"],
        ["deploy", "INTERRUPTED"],
      ]);
      if (!seen || (stage === "build" && seen.source !== "git_host")) return undefined;
      environment.platform.admin.addOutcome({ deploymentId: seen.id, stage, status });
      return `the next ${stage} ends in ${status}`;
    },
    takeBack(isUnfinished: boolean) {
      const newer = subject.args();
      const back = subject.takeBack(isUnfinished);
      // The service has no way to clear these.
      const isDropped = (path: string) => valueAt(subject.args(), path) === undefined;
      for (const path of back === undefined ? [] : [CUSTOM_URL, COMMAND].filter(isDropped))
        subject.set(path, valueAt(newer, path));
      return back;
    },
    repair() {
      subject.set("wait.timeoutSeconds", LONG);
      environment.platform.admin.clearOutcomes();
    },
    async before() {
      // Also what is others', which this one may adopt.
      before = [...(await kind.all())];
    },
    async wrongAfterUp(upped: Upped) {
      const { error, allowance, isDone, isFaithful, isShared, former, stored } = upped;
      const there = await kind.all();
      const after = there.filter(({ id }) => !trial.isOthers(id));
      const wrong = after.flatMap((now) => {
        const seen = before.find(({ id }) => id === now.id);
        const made = now.revisions.length - (seen?.revisions.length ?? 0);
        // A revision that failed is followed by another one each time.
        const allowed = (seen ? mayMake(seen, now, upped) : 1) + allowance;
        return made > allowed ? [`${made} revisions of ${now.id} were made, not ${allowed}`] : [];
      });
      wrong.push(...falselyReady(there, stored, isDone && !isShared));
      if (isFaithful && rollsBack() && former && stored)
        wrong.push(...wrongAfterRollback(former, stored, after, error));
      const hasIn = (all: readonly Seen[]) => all.some(({ id }) => id === former?.id);
      if (isFaithful && !isShared && NAME_OF.test(error) && hasIn(before) && !hasIn(after))
        wrong.push(`${former?.id} was deleted for a name that is taken`);
      if (TAKEN.test(error) && !/\n *else choose another name/.test(error))
        wrong.push("the error does not say what to do");
      if (isDone) [asked, indeterminate] = [asking(), undefined];
      else if (error.includes("could not confirm")) indeterminate = JSON.stringify(declared());
      return wrong;
    },
    async wrongAtRest(stored: Stored) {
      const seen = (await kind.all()).find(({ id }) => id === stored.id);
      if (seen === undefined) return [];
      const [newest] = seen.revisions;
      // The revision of a push may fail: a warning says so, and the program does not repeat it.
      const isOfPush = serving.pushed.has(newest?.id ?? "") && hasFailed(newest?.status ?? "");
      const serves = newest?.status === "DEPLOYED" && seen.active_revision_id === newest.id;
      return [
        ...differences(table, declared(), seen),
        ...(stored.outputs["ready"] === true ? [] : ["it is not ready after a green up"]),
        ...(isOfPush || serves ? [] : [`ready, but the newest revision is ${newest?.status}`]),
      ];
    },
    async isLike(inputs: Props, id: string) {
      // Another program may have changed it since this one looked.
      const seen = [...before, ...(await kind.all())].filter((one) => one.id === id);
      return seen.some((one) => {
        // The values of secrets are not known.
        const there = variablesOf(one.secrets);
        const secrets = mapMembers(
          recordOf(inputs["secrets"]),
          (value, name) => there[name] ?? value,
        );
        // A null URL distinguishes nothing: the service may not show it.
        const isShown = one.source_config?.custom_url != null;
        const rows = table.filter(({ path }) => path !== CUSTOM_URL || isShown);
        return isLike(rows, { ...inputs, secrets }, one);
      });
    },
  };
}

function argumentsIn(outputs: Props): Props {
  return recordOf(withoutSecretForm(outputs));
}

/** Whether a revision is one of a branch that a rollback can go back to. */
function servedBranch({ status, source_revision_config: code }: Revision): boolean {
  const ref = code?.repo_ref;
  return status === "DEPLOYED" && typeof ref === "string" && !isTag(ref);
}

/** Settings stay after a rollback, and what had no value before. */
function isKept(difference: string, old: Props): boolean {
  return (
    /^source_config\.(build_on_push|custom_url)/.test(difference) ||
    (difference.startsWith("source_config.install_command") &&
      valueAt(old, COMMAND) === undefined) ||
    (difference.startsWith("secrets") && Object.keys(recordOf(old["env"])).length === 0)
  );
}

/** The body of a PATCH by which a person sets what is at the path of an input; undefined where it is not there. */
function rotated(seen: Seen, path: string, wire: string | undefined, value: string) {
  const {
    secrets = [],
    source_config: { resource_spec },
  } = seen;
  const size = wire?.includes("resource_spec") ? { source_config: { resource_spec } } : {};
  if (path === IMAGE) return withValue({}, wire ?? "", `registry.example.com/${value}`);
  if (wire !== undefined && path !== "env") return withValue(size, wire, value);
  const name = path.slice(path.indexOf(".") + 1);
  const others = (secrets ?? []).filter((variable) => variable.name !== name);
  return others.length < (secrets ?? []).length
    ? { secrets: [...others, { name, value }] }
    : undefined;
}
