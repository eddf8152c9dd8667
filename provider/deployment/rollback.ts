import type { Operation } from "../host/operation";
import { InitializationFailure } from "../host/initialization-failure";
import { recordOf } from "../../shared/records";
import { type Props, valueAt } from "../inputs/props";
import { sendPatch } from "./apply";
import { variablesOf } from "./environment";
import { BUILD_COMMANDS } from "./fields";
import { observe } from "./observe";
import { patchBack } from "./patch";
import { awaitRollout } from "./settle";
import { messageOf } from "../../shared/errors";

/** Whether a failed update is to be taken back. */
export function rollsBack(inputs: Props): boolean {
  return inputs["onFailure"] === "rollback";
}

/**
 * Puts every field that made the failed revision back to its old value, in one PATCH, and waits for the revision of
 * that. Returns the failure to report: what failed, and what runs now. The state keeps the old values, so that the next
 * update tries the new ones again; there is never a second rollback.
 */
export async function rollBack(
  job: Operation,
  olds: Props,
  news: Props,
  failure: InitializationFailure,
): Promise<InitializationFailure> {
  const inputs = rolledBack(olds, news);
  try {
    const observed = await observe(job);
    const patch = patchBack(news, inputs, observed.deployment);
    const change = await sendPatch(job, inputs, observed, patch);
    const { deployment, toFollow, revisionId } = change;
    if (!toFollow)
      return combined(job, failure, failure.properties, [
        "nothing was rolled back: this update changed nothing that has an old value to put back",
        ...keptInWords(olds, news),
      ]);
    job.log.warn(`the new revision failed: revision ${revisionId} puts the old values back`);
    const outputs = await awaitRollout(job, inputs, deployment, revisionId);
    return combined(job, failure, outputs, [
      `rolled back: revision ${revisionId} of the old values serves`,
      ...keptInWords(olds, news),
    ]);
  } catch (error) {
    if (error instanceof InitializationFailure)
      return combined(job, failure, error.properties, [
        "the rollback failed too:",
        ...error.reasons,
      ]);
    const message = messageOf(error);
    return combined(job, failure, failure.properties, [
      `the rollback could not be asked for: ${message}`,
    ]);
  }
}

/** The failure of a revision that an earlier update asked for: the state holds the values of that one already. */
export function notRolledBack(
  job: Operation,
  failure: InitializationFailure,
): InitializationFailure {
  return combined(job, failure, failure.properties, [
    "nothing was rolled back: an earlier `pulumi up` asked for this revision, and the values from before it are not known any more; declare them again to go back",
  ]);
}

function combined(
  { id }: Operation,
  failure: InitializationFailure,
  outputs: Props,
  more: readonly string[],
): InitializationFailure {
  return new InitializationFailure(id, outputs, [[...failure.reasons, ...more].join("\n      ")]);
}

/** The new inputs with the old values of all that makes a revision. */
function rolledBack(olds: Props, news: Props): Props {
  const { sourceRevisionConfig, redeployOn } = olds;
  const { env, secrets } = ownsVariables(olds) ? olds : news;
  const { resourceSpec: _size, ...kept } = recordOf(news["sourceConfig"]);
  const { env: _env, secrets: _secrets, redeployOn: _redeployOn, ...rest } = news;
  const makers = ["resourceSpec", ...BUILD_COMMANDS.map(nameOf)];
  const before = Object.entries(recordOf(olds["sourceConfig"])).filter(
    ([name, value]) => makers.includes(name) && (value ?? undefined) !== undefined,
  );
  return {
    ...rest,
    sourceConfig: { ...kept, ...Object.fromEntries(before) },
    sourceRevisionConfig,
    ...(env !== undefined && { env }),
    ...(secrets !== undefined && { secrets }),
    ...(redeployOn !== undefined && { redeployOn }),
  };
}

/** What came with the failed revision and stays, since the service has no way to clear it. */
function keptInWords(olds: Props, news: Props): string[] {
  const commands = BUILD_COMMANDS.filter(
    (path) => valueAt(olds, path) === undefined && valueAt(news, path) !== undefined,
  );
  const variables = !ownsVariables(olds) && ownsVariables(news) ? ["the first variables"] : [];
  const kept = [...commands.map(nameOf), ...variables];
  return kept.length === 0
    ? []
    : [`not taken back, since the service has no way to clear it: ${kept.join(", ")}`];
}

function ownsVariables(inputs: Props): boolean {
  return Object.keys(variablesOf(inputs)).length > 0;
}

function nameOf(path: string): string {
  return path.split(".").at(-1) ?? path;
}
