import { explain } from "../advice";
import { type Context, InitializationFailure, type Lifecycle } from "../process";
import type { Props } from "../props";
import { SettingsError } from "../settings";
import { difference } from "./diff";

/**
 * What happens to a `Deployment`. The parts that speak with the control plane, or know the wire's schema, are loaded
 * when they are first needed.
 */
export const deploymentLifecycle: Lifecycle = {
  async check(olds, news, context) {
    const { checkInputs } = await import("./check.js");
    const { inputs, problems } = checkInputs(olds, news, context.urn ?? "");
    const failures = [...problems, ...settingsProblems(context)];
    // The engine shows failures of one resource together: nothing is left for a second try.
    return { inputs, failures };
  },
  diff(_id, olds, news, { log }) {
    const { result, words } = difference(olds, news);
    if (words !== undefined) log.info(words);
    return result;
  },
  async create(inputs, context) {
    const { createDeployment } = await import("./create.js");
    return explained(context, () => createDeployment(inputs, context));
  },
  async read(id, props, context) {
    const { readDeployment } = await import("./read.js");
    return explained(context, () => readDeployment(id, props, context));
  },
  async update(id, olds, news, context) {
    const { updateDeployment } = await import("./update.js");
    const update = async (): Promise<{ outs: Props }> => ({
      outs: await updateDeployment(id, olds, news, context),
    });
    return explained(context, update);
  },
  async delete(id, props, context) {
    const { deleteDeployment } = await import("./delete.js");
    return explained(context, () => deleteDeployment(id, props, context));
  },
};

function settingsProblems({ settings }: Context): { property: string; reason: string }[] {
  try {
    settings();
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((reason) => ({ property: "", reason }));
  }
}

/** Adds to an error of the client which setting or argument to look at. */
async function explained<Answer>(
  { settings }: Context,
  operation: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof InitializationFailure || error instanceof SettingsError) throw error;
    throw new Error(explain(error, settings()), { cause: error });
  }
}
