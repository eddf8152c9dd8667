import { formatErrorWith } from "../host/errors";
import { InitializationFailure, type Lifecycle } from "../host/serve";
import { adviceFor } from "./advice";
import { difference } from "./diff";
import { hold } from "./held";

/**
 * What happens to a `Thread`, which lives on an agent server. The parts that speak with it, or know the wire's schema, are
 * loaded when they are first needed.
 */
export const threadLifecycle: Lifecycle = {
  async check(_olds, news) {
    const { threadProblems } = await import("./check.js");
    return { inputs: news, failures: threadProblems(news) };
  },
  diff(id, olds, news, context) {
    hold(context, id);
    const { result, message } = difference(olds, news);
    if (message !== undefined) context.log.info(message);
    return result;
  },
  async create(inputs, context) {
    const { createThread } = await import("./create.js");
    return explained("create", "", () => createThread(inputs, context));
  },
  async read(id, props, context) {
    const { readThread } = await import("./read.js");
    return explained("get", id, () => readThread(id, props, context));
  },
  async update(id, olds, news, context) {
    const { updateThread } = await import("./update.js");
    return explained("update", id, async () => ({
      outs: await updateThread(id, olds, news, context),
    }));
  },
  async delete(id, props, context) {
    const { deleteThread } = await import("./delete.js");
    // A forced replacement asks no diff before it.
    hold(context, id);
    return explained("delete", id, () => deleteThread(id, props, context));
  },
};

async function explained<Answer>(
  verb: string,
  subject: string,
  operation: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof InitializationFailure) throw error;
    const task = { action: `${verb} thread`, subject };
    throw new Error(formatErrorWith(error, adviceFor, task), { cause: error });
  }
}
