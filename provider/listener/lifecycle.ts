import { textOf } from "../../shared/records";
import { defineLifecycle } from "../host/define-lifecycle";
import type { Props } from "../inputs/props";
import { listenerProblems } from "./check";
import { createListener } from "./create";
import { deleteListener } from "./delete";
import { difference } from "./diff";
import { readListener } from "./read";
import { updateListener } from "./update";

/** What happens to a `Listener`. */
export const listenerLifecycle = defineLifecycle<Props, Props>({
  noun: "listener",
  declared: (inputs) => inputs,
  state: (outputs) => outputs,
  nameOf: ({ computeId }) => textOf(computeId),
  check: (_olds, news) => ({ problems: listenerProblems(news) }),
  difference: (_id, olds, news) => difference(olds, news),
  create: createListener,
  read: readListener,
  update: updateListener,
  delete: deleteListener,
});
