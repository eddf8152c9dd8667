import { defineLifecycle } from "../host/define-lifecycle";
import type { Props } from "../inputs/props";
import { threadProblems } from "./check";
import { createThread } from "./create";
import { deleteThread } from "./delete";
import { difference } from "./diff";
import { hold } from "./held";
import { readThread } from "./read";
import { updateThread } from "./update";

/** What happens to a `Thread`, which lives on an agent server. */
export const threadLifecycle = defineLifecycle<Props, Props>({
  noun: "thread",
  service: "agent server",
  declared: (inputs) => inputs,
  state: (outputs) => outputs,
  nameOf: () => undefined,
  check: (_olds, news) => ({ problems: threadProblems(news) }),
  difference: (id, olds, news, context) => {
    hold(context, id);
    return difference(olds, news);
  },
  create: createThread,
  read: readThread,
  update: updateThread,
  delete: (id, props, context) => {
    // A forced replacement asks no diff before it.
    hold(context, id);
    return deleteThread(id, props, context);
  },
});
