import {
  type Deployment,
  DeploymentsList,
  IntegrationsList,
  type Revision,
  RevisionsList,
} from "../../sdk/schema";
import { hasFailed } from "../../sdk/status";
import type { Declared, Stored } from "./engine";
import { argumentsOf, changeWish, firstWish, type Wish } from "./program";
import type { Trial } from "./trial";
import type { Subject } from "./subject";

const TYPE = "pulumi-nodejs:dynamic/agentserver:Deployment";
const URN = `urn:pulumi:test::shop::${TYPE}::support`;

/** A deployment on the service, with its revisions, newest first. */
interface Seen {
  readonly deployment: Deployment;
  readonly revisions: readonly Revision[];
}

/** How the native provider, which adopts nothing by itself, says what an interrupted create may have left. */
const IMPORT =
  /where an interrupted create left it, .* run `pulumi import agentserver:index:Deployment support (\S+)`/;

/** A program of one deployment. */
export async function deploymentSubject(trial: Trial): Promise<Subject> {
  const { world, workspace, random, door } = trial;
  const [integration] = await workspace.get(IntegrationsList, "/v1/integrations/git_host/install");
  const wish = firstWish(random, door);
  let count = 0;
  let lastRedeploy: string | undefined;
  let lastCommand: string | undefined;
  let before: Seen[] = [];

  const look = async (): Promise<Seen[]> => {
    const { resources } = await workspace.get(DeploymentsList, "/v2/deployments?limit=100");
    const seen = resources.map(async (deployment) => {
      const path = `/v2/deployments/${deployment.id}/revisions?limit=100`;
      // It may be gone a moment later.
      const list = await workspace.find(RevisionsList, path);
      return list ? [{ deployment, revisions: list.resources }] : [];
    });
    return (await Promise.all(seen)).flat();
  };
  const program = (): Declared[] => {
    const inputs = { ...argumentsOf(wish, integration?.id ?? ""), __urn: URN, __provider: "text" };
    const deleteBeforeReplace = wish.deletesFirst || undefined;
    return [{ urn: URN, kind: "deployment", inputs, deleteBeforeReplace }];
  };

  /** How many revisions a command may make of a deployment that was there before it. */
  const mayMake = ({ deployment, revisions }: Seen): number => {
    const [newest] = revisions;
    const isAsked = wish.redeployOn !== lastRedeploy || wish.installCommand !== lastCommand;
    const isBroken = newest !== undefined && hasFailed(newest.status);
    const isNeeded = isAsked || isBroken || differences(wish, deployment).length > 0;
    // A commit of a branch is redeployed after the other values are restored, which makes a revision too.
    const rollback = revisions.some(servedBranch) ? 2 : 1;
    return (isNeeded ? 1 : 0) + (wish.onFailure === "rollback" ? rollback : 0);
  };

  return {
    program,
    change: (isUnfinished) => changeWish(wish, random, random.below(4), isUnfinished),
    async disturb() {
      const [seen] = await look();
      if (seen === undefined) return undefined;
      const path = `/v2/deployments/${seen.deployment.id}`;
      const patches = [
        { secrets: [{ name: "LEVEL", value: `theirs-${(count += 1)}` }] },
        wish.source === "git_host"
          ? {
              source_revision_config: { repo_ref: "theirs" },
              source_config: { build_on_push: false },
            }
          : { source_revision_config: { image_uri: "registry.example.com/theirs:1" } },
      ] as const;
      if (random.chance(0.2))
        return `deletes the deployment: ${await workspace.send("DELETE", path)}`;
      const body = random.pick(patches);
      return `changes ${JSON.stringify(body)}: ${await workspace.send("PATCH", path, body)}`;
    },
    async doom() {
      const [seen] = await look();
      if (seen === undefined) return undefined;
      const [stage, status] = random.pick([
        ["build", "BUILD_FAILED"],
        ["deploy", "DEPLOY_FAILED"],
        ["deploy", "INTERRUPTED"],
      ]);
      if (stage === "build" && wish.source !== "git_host") return undefined;
      const deploymentId = seen.deployment.id;
      world.platform.admin.addOutcome({ deploymentId, stage, status });
      return `the next ${stage} ends in ${status}`;
    },
    repair() {
      wish.timeoutSeconds = 1800;
      world.platform.admin.clearOutcomes();
    },
    async obey(error, state) {
      const id = /adopt deployment '\S+' \((\S+)\): .* differ/.exec(error)?.[1];
      if (id !== undefined)
        return `deletes deployment ${id}: ${await workspace.send("DELETE", `/v2/deployments/${id}`)}`;
      const [, taken] = IMPORT.exec(error) ?? [];
      if (taken !== undefined && state.some((stored) => stored.id === taken)) {
        wish.deletesFirst = true;
        return "deleteBeforeReplace: true";
      }
      // What was deleted for its replacement is still in the state, so that nothing can be imported in its place.
      if (taken !== undefined && state.length === 0 && random.chance(0.5))
        return `pulumi import ${taken}`;
      if (error.includes("set adoptExisting: true")) {
        wish.adoptExisting = true;
        return "adoptExisting: true";
      }
      if (error.includes("run `pulumi refresh`")) return "pulumi refresh";
      return undefined;
    },
    async before() {
      before = await look();
    },
    async wrongAfterUp(error) {
      const after = await look();
      const wrong = after.flatMap(({ deployment: { id }, revisions }) => {
        const known = before.find(({ deployment }) => deployment.id === id);
        const made = revisions.length - (known?.revisions.length ?? 0);
        const allowed = known ? mayMake(known) : 1;
        return made > allowed ? [`${made} revisions of ${id} were made, not ${allowed}`] : [];
      });
      if (after.length > 1) wrong.push(`${after.length} deployments are there`);
      // A given name may be somebody else's.
      const isOwn = wish.name === undefined && error.includes("has this name already");
      const explained =
        door === "native" ? IMPORT.test(error) : error.includes("unfinished create");
      if (isOwn && !explained)
        wrong.push(
          "the error does not say that the deployment may be of its own unfinished create",
        );
      if (error === "") [lastRedeploy, lastCommand] = [wish.redeployOn, wish.installCommand];
      return wrong;
    },
    async wrongAtRest(state) {
      const there = await look();
      return [...strangersOf(state, there), ...there.flatMap((seen) => wrongOf(wish, state, seen))];
    },
    leftovers: async () => (await look()).map(({ deployment: { id } }) => `deployment ${id}`),
  };
}

/** Whether a revision is one of a branch that a rollback can go back to. */
function servedBranch({ status, source_revision_config: code }: Revision): boolean {
  const ref = code?.repo_ref;
  return status === "DEPLOYED" && typeof ref === "string" && !ref.startsWith("refs/tags/");
}

function strangersOf(state: readonly Stored[], there: readonly Seen[]): string[] {
  const known = state.map(({ id }) => id).toSorted();
  const seen = there.map(({ deployment: { id } }) => id).toSorted();
  return known.join() === seen.join()
    ? []
    : [`the state holds ${known.join() || "none"}, the service ${seen.join() || "none"}`];
}

/** Declared values that a deployment does not have. */
function differences(wish: Wish, deployment: Deployment): string[] {
  const { source_config: config, source_revision_config: revision, secrets } = deployment;
  const variables = { ...wish.env, ...wish.secrets };
  const declared: [string, unknown, unknown][] = [
    ["variables", canonical(variables), canonical(valuesOf(secrets ?? []))],
    ...(wish.source === "git_host"
      ? ([
          ["ref", wish.ref, revision.repo_ref],
          ["repository", wish.repoUrl, config.repo_url],
          ["buildOnPush", wish.buildOnPush, config.build_on_push ?? false],
          ["installCommand", wish.installCommand ?? null, config.install_command ?? null],
        ] satisfies [string, unknown, unknown][])
      : ([
          ["image", wish.image, revision.image_uri],
          ["cpu", wish.cpu ?? null, wish.cpu && config.resource_spec?.["cpu"]],
        ] satisfies [string, unknown, unknown][])),
  ];
  return declared
    .filter(([, ours, theirs]) => ours !== (theirs ?? null))
    .map(([name, ours, theirs]) => `${name}: declared ${String(ours)}, there ${String(theirs)}`);
}

function valuesOf(secrets: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(secrets.map(({ name, value }) => [name, value]));
}

function canonical(values: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function wrongOf(wish: Wish, state: readonly Stored[], { deployment, revisions }: Seen): string[] {
  const [newest] = revisions;
  const ready = state.find(({ id }) => id === deployment.id)?.outputs["ready"];
  const serves = newest?.status === "DEPLOYED" && deployment.active_revision_id === newest.id;
  return [
    ...differences(wish, deployment),
    ...(ready === true ? [] : ["it is not ready after a green up"]),
    ...(serves ? [] : [`ready, but the newest revision is ${newest?.status}`]),
  ];
}
