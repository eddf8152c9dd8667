import { z } from "zod";
import { Deployment, DeploymentsList, IntegrationsList, RevisionsList } from "../../sdk/schema";
import { hasFailed } from "../../sdk/status";
import { textOf } from "../../shared/records";
import type { Stored } from "./checkpoint";
import type { Declared } from "./provider";
import type { Random } from "./random";
import {
  differences,
  isUnseen,
  rotated,
  type Seen,
  servedBranch,
  wrongAfterRollback,
  wrongOf,
} from "./deployment-rules";
import {
  argumentsOf,
  changeWish,
  firstWish,
  ignorableIn,
  isTag,
  SECRETS,
  type Wish,
  wishIn,
  rollsBack,
} from "./program";
import { optionIn, PLAIN, type Subject, withSecretsOf } from "./subject";
import { type Trial, urnOf } from "./trial";

const TAKEN = /create deployment '\S+': deployment (\S+) has this name already, /;
const NAME_OF = /deployment (\S+) has this name/;
const DIFFERS = /adopt deployment '\S+' \((\S+)\): .* differ/;

const Outputs = z.looseObject({
  ready: z.boolean().nullish(),
  rollout: z.looseObject({ revisionId: z.string().nullable() }).nullish(),
});

/** A deployment. */
export async function deploymentSubject(trial: Trial, shape: Random): Promise<Subject> {
  const { workspace, place } = trial;
  const [integration] = await workspace.get(IntegrationsList, "/v1/integrations/git_host/install");
  return subjectOf(trial, firstWish(shape, place), integration?.id ?? "");
}

function subjectOf(trial: Trial, wish: Wish, integrationId: string): Subject {
  const { world, workspace, serving, random, place, ownName, isOthers } = trial;
  let count = 0;
  let lastRedeploy: string | undefined;
  let lastCommand: string | undefined;
  /** The program whose update could not be confirmed; none after one that was. */
  let indeterminate: string | undefined;
  let before: Seen[] = [];

  const all = async (): Promise<Seen[]> => {
    const { resources } = await workspace.get(DeploymentsList, "/v2/deployments?limit=100");
    const seen = resources.map(async (deployment) => {
      const path = `/v2/deployments/${deployment.id}/revisions?limit=100`;
      // It may be gone a moment later.
      const list = await workspace.find(RevisionsList, path);
      return list ? [{ deployment, revisions: list.resources }] : [];
    });
    return (await Promise.all(seen)).flat();
  };
  const look = async () => (await all()).filter(({ deployment: { id } }) => !isOthers(id));
  const declared = (): Declared => {
    const urn = urnOf(place, "deployment");
    const inputs = { ...argumentsOf(wish, integrationId), __urn: urn, __provider: "text" };
    const paths = wish.mark === "" ? [] : SECRETS;
    return { urn, kind: "deployment", inputs: withSecretsOf(inputs, paths, place) };
  };

  /** The most revisions that a command may create of a deployment that was there before it, and what it is afterwards. */
  const mayMake = ({ deployment, revisions }: Seen, now: Deployment, isSent: boolean): number => {
    const [newest] = revisions;
    const isAsked = wish.redeployOn !== lastRedeploy || wish.installCommand !== lastCommand;
    const isBroken = newest !== undefined && hasFailed(newest.status);
    // A request that may still arrive is overruled, also where the program is back at what the service has.
    const isOverruled = indeterminate !== undefined && indeterminate !== JSON.stringify(wish);
    const differs = differences(wish, deployment).length > 0;
    const isNeeded = isAsked || isBroken || isOverruled || differs || isSent;
    // A commit of a branch is redeployed after variables are put back, which creates a revision too. A hook may change them again.
    const seen = [deployment, now].flatMap((one) => differences(wish, one));
    const isPutBack = seen.some((one) => one.startsWith("secrets"));
    const rollback = revisions.some(servedBranch) && isPutBack ? 2 : 1;
    return (isNeeded ? 1 : 0) + (wish.onFailure === "rollback" ? rollback : 0);
  };

  /** A resource is ready only where the revision that it follows serves. Where an `up` has created one, it is that one. */
  const falselyReady = async (stored: Stored | undefined, isDone: boolean): Promise<string[]> => {
    const { ready, rollout } = Outputs.parse(stored?.outputs ?? {});
    if (stored === undefined || !ready || !rollout) return [];
    const path = `/v2/deployments/${stored.id}/revisions?limit=100`;
    const { resources = [] } = (await workspace.find(RevisionsList, path)) ?? {};
    const followed = resources.find(({ id }) => id === rollout.revisionId);
    const serves = followed === undefined || ["DEPLOYED", "SKIPPED"].includes(followed.status);
    if (!serves) return [`ready, but revision ${followed.id} is ${followed.status}`];
    const known = before.find(({ deployment: { id } }) => id === stored.id)?.revisions ?? [];
    const created = resources.filter(({ id }) => !known.some((one) => one.id === id));
    const isFollowed = created.length === 0 || created.some(({ id }) => id === rollout.revisionId);
    return !isDone || isFollowed
      ? []
      : [`ready by ${rollout.revisionId}, but created ${created[0]?.id}`];
  };

  return {
    ...PLAIN,
    declared,
    get ignorable() {
      return ignorableIn(wish);
    },
    twin: (other) => subjectOf(other, structuredClone(wish), integrationId),
    change: (how, isUnfinished) => changeWish(wish, how, how.below(4), isUnfinished),
    isReplacing({ name, ...outputs }) {
      const { source, repoUrl } = wishIn(outputs);
      const isSameName = wish.name === undefined || wish.name === name;
      return !(
        isSameName &&
        source === wish.source &&
        repoUrl === (wish.source === "git_host" ? wish.repoUrl : "")
      );
    },
    nameIn: ({ name }) => textOf(name),
    take: (name) => `name: ${(wish.name = name)}`,
    async forestall() {
      if (wish.name === undefined) return undefined;
      const body = {
        name: wish.name,
        source: "external_container",
        source_config: { resource_spec: {} },
        source_revision_config: { image_uri: "registry.example.com/theirs:1" },
        secrets: [],
      };
      await workspace.send("POST", "/v2/deployments", body);
      const made = (await all()).find(({ deployment: { name } }) => name === wish.name);
      const isTheirs =
        made?.deployment.source_revision_config.image_uri === body.source_revision_config.image_uri;
      return isTheirs ? made?.deployment.id : undefined;
    },
    async shown(id) {
      const found = await workspace.find(Deployment, `/v2/deployments/${id}`);
      return (
        found && {
          ...found,
          status: undefined,
          updated_at: undefined,
          latest_revision_id: undefined,
          active_revision_id: undefined,
        }
      );
    },
    push(how) {
      const { source, repoUrl, ref } = wish;
      if (source !== "git_host" || isTag(ref)) return undefined;
      const sha = String(how.below(9)).repeat(40);
      serving.push(repoUrl, ref, sha);
      return `pushes to ${ref}: ${world.platform.admin.push({ repoUrl, ref, sha })} revisions`;
    },
    toggleAdoption: () => `adoptExisting: ${(wish.adoptExisting = !wish.adoptExisting)}`,
    adopts: () => wish.adoptExisting,
    async disturb(how) {
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
      const body = how.pick(patches);
      return `changes ${JSON.stringify(body)}: ${await workspace.send("PATCH", path, body)}`;
    },
    async rotate(path) {
      const [seen] = await look();
      const theirs = `theirs-${(count += 1)}`;
      const body = seen && rotated(path, seen.deployment, theirs);
      if (body === undefined) return undefined;
      const sent = await workspace.send("PATCH", `/v2/deployments/${seen?.deployment.id}`, body);
      return `sets ${path} to ${theirs}: ${sent}`;
    },
    async doom(how) {
      const [seen] = await look();
      if (seen === undefined) return undefined;
      const [stage, status] = how.pick([
        ["build", "BUILD_FAILED"],
        ["deploy", "DEPLOY_FAILED"],
        ["deploy", "INTERRUPTED"],
      ]);
      if (stage === "build" && seen.deployment.source !== "git_host") return undefined;
      const deploymentId = seen.deployment.id;
      world.platform.admin.addOutcome({ deploymentId, stage, status });
      return `the next ${stage} ends in ${status}`;
    },
    repair() {
      wish.timeoutSeconds = 1800;
      world.platform.admin.clearOutcomes();
    },
    async obey(error, state) {
      const differing = DIFFERS.exec(error)?.[1];
      const taken = differing ?? NAME_OF.exec(error)?.[1];
      if (/^name '.*' is set for/m.test(error))
        return `name: ${(wish.name = `${ownName}-${(count += 1)}`)}`;
      const option = optionIn(error);
      if (taken !== undefined && isOthers(taken))
        return `name: ${(wish.name = `${ownName}-${(count += 1)}`)}`;
      if (option !== undefined) return option;
      if (differing !== undefined)
        return `deletes deployment ${differing}: ${await workspace.send("DELETE", `/v2/deployments/${differing}`)}`;
      // A resource that was deleted for its replacement is still in the state, so that nothing can be imported in its place.
      // Nor does an import know what the program has made secret.
      const isPlain = wish.mark === "" && state.length === 0;
      const isImported = error.includes("run `pulumi import") && isPlain;
      if (isImported && random.chance(0.5)) return `pulumi import ${taken}`;
      if (error.includes("set adoptExisting: true")) {
        wish.adoptExisting = true;
        return "adoptExisting: true";
      }
      if (error.includes("run `pulumi refresh`")) return "pulumi refresh";
      return undefined;
    },
    settle() {
      const { adoptExisting } = wish;
      wish.adoptExisting = false;
      return adoptExisting;
    },
    async before() {
      // Also what is others', which this one may adopt.
      before = await all();
    },
    async wrongAfterUp({ error, allowance, isDone, isHonest, isShared, former, stored, hides }) {
      const after = await look();
      const isSent = isUnseen(former ? wishIn(former.outputs) : {}, wish, hides);
      const wrong = after.flatMap(({ deployment: now, revisions }) => {
        const { id } = now;
        const known = before.find(({ deployment }) => deployment.id === id);
        const made = revisions.length - (known?.revisions.length ?? 0);
        // A revision that failed is followed by another one each time.
        const allowed = (known ? mayMake(known, now, isSent) : 1) + allowance;
        return made > allowed ? [`${made} revisions of ${id} were made, not ${allowed}`] : [];
      });
      wrong.push(...(await falselyReady(stored, isDone && !isShared)));
      if (isHonest && rollsBack(wish) && former && stored)
        wrong.push(...wrongAfterRollback({ former, stored, before, after, error }));
      const hasIn = (seen: readonly Seen[]) =>
        seen.some(({ deployment: { id } }) => id === former?.id);
      if (isHonest && NAME_OF.test(error) && hasIn(before) && !hasIn(after))
        wrong.push(`${former?.id} was deleted for a name that is taken`);
      if (TAKEN.test(error) && !/; else choose another name/.test(error))
        wrong.push("the error does not say what to do");
      if (isDone) [lastRedeploy, lastCommand] = [wish.redeployOn, wish.installCommand];
      if (isDone) indeterminate = undefined;
      else if (error.includes("could not confirm")) indeterminate = JSON.stringify(wish);
      return wrong;
    },
    async wrongAtRest(stored) {
      const known = (await all()).filter(({ deployment: { id } }) => stored.id === id);
      return known.flatMap((seen) => wrongOf(wish, stored, seen));
    },
    async isLike(inputs, id) {
      const found = await workspace.find(Deployment, `/v2/deployments/${id}`);
      return found !== undefined && differences(wishIn(inputs), found, false).length === 0;
    },
    live: async () => (await all()).map(({ deployment: { id } }) => id),
    remove: async (id) => void (await workspace.send("DELETE", `/v2/deployments/${id}`)),
  };
}
