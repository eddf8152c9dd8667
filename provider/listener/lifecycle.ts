import { explained, type Task } from "../advice";
import { judgeSettings } from "../problems";
import type { Lifecycle } from "../process";
import { type Props, textOf } from "../props";
import { difference } from "./diff";

/**
 * What happens to a `Listener`. The parts that speak with the control plane, or know the wire's schema, are loaded when
 * they are first needed.
 */
export const listenerLifecycle: Lifecycle = {
  async check(_olds, news, context) {
    const { listenerProblems } = await import("./check.js");
    return {
      inputs: news,
      failures: [...listenerProblems(news), ...judgeSettings(context).problems],
    };
  },
  diff(_id, olds, news, { log }) {
    const { result, words } = difference(olds, news);
    if (words !== undefined) log.info(words);
    return result;
  },
  async create(inputs, context) {
    const { createListener } = await import("./create.js");
    return explained(context, taskOf("create", inputs), () => createListener(inputs, context));
  },
  async read(id, props, context) {
    const { readListener } = await import("./read.js");
    return explained(context, taskOf("get", props, id), () => readListener(id, props, context));
  },
  async update(id, olds, news, context) {
    const { updateListener } = await import("./update.js");
    const update = async (): Promise<{ outs: Props }> => ({
      outs: await updateListener(id, olds, news, context),
    });
    return explained(context, taskOf("update", olds), update);
  },
  async delete(id, props, context) {
    const { deleteListener } = await import("./delete.js");
    return explained(context, taskOf("delete", props), () => deleteListener(id, props, context));
  },
};

function taskOf(verb: string, props: Props, id = ""): Task {
  return { action: `${verb} listener`, subject: textOf(props["computeId"]) ?? id };
}
