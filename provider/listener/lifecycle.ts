import { withErrorContext, type Task } from "../host/errors";
import { validateSettings } from "../inputs/problems";
import type { Lifecycle } from "../host/serve";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
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
      failures: [...listenerProblems(news), ...validateSettings(context).problems],
    };
  },
  diff(_id, olds, news, { log }) {
    const { result, message } = difference(olds, news);
    if (message !== undefined) log.info(message);
    return result;
  },
  async create(inputs, context) {
    const { createListener } = await import("./create.js");
    return withErrorContext(context, taskOf("create", inputs), () =>
      createListener(inputs, context),
    );
  },
  async read(id, props, context) {
    const { readListener } = await import("./read.js");
    return withErrorContext(context, taskOf("get", props, id), () =>
      readListener(id, props, context),
    );
  },
  async update(id, olds, news, context) {
    const { updateListener } = await import("./update.js");
    const update = async (): Promise<{ outs: Props }> => ({
      outs: await updateListener(id, olds, news, context),
    });
    return withErrorContext(context, taskOf("update", olds), update);
  },
  async delete(id, props, context) {
    const { deleteListener } = await import("./delete.js");
    return withErrorContext(context, taskOf("delete", props), () =>
      deleteListener(id, props, context),
    );
  },
};

function taskOf(verb: string, props: Props, id = ""): Task {
  return { action: `${verb} listener`, subject: textOf(props["computeId"]) ?? id };
}
