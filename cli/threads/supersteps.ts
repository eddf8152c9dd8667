import type { Superstep } from "../../sdk";
import { Superstep as Schema } from "../../sdk/schema";
import type { Conversation, Step } from "./conversation";
import { isMessages, replacingMessages } from "./messages";

/** The form in which a key of a graph's values is written: 0 as a node did, 1 whole and past its reducer, 2 whole as it is. */
export type Forms = Map<string, number>;

export const MOST_FORM = 2;
const START = "__start__";

/**
 * The supersteps that make a conversation again. Where a key differed after the last attempt, the last superstep writes
 * the whole value: past the key's reducer, then as it is.
 */
export function superstepsOf({ steps, state }: Conversation, forms: Forms): Superstep[] {
  let last = START;
  const named = steps.map((writes, at) => {
    const isLast = at === steps.length - 1;
    const complete = isLast ? withWholeValues(writes, state.values, forms) : writes;
    const updates = complete.map(({ node, values, whole = [] }) => {
      const overwritten = whole.filter((key) => forms.get(key) === 1 && !isLast);
      return {
        as_node: (last = node ?? (last === "__input__" ? START : last)),
        values: {
          ...values,
          ...Object.fromEntries(overwritten.map((key) => [key, { __overwrite__: values[key] }])),
        },
      };
    });
    return { updates };
  });
  return Schema.array().parse(named);
}

function withWholeValues(writes: Step, values: Record<string, unknown>, forms: Forms): Step {
  const keys = Object.keys(values).filter((key) => (forms.get(key) ?? 0) > 0);
  const rest = writes.map((write) => ({
    ...write,
    values: Object.fromEntries(Object.entries(write.values).filter(([key]) => !keys.includes(key))),
  }));
  const [first, ...others] = rest;
  if (first === undefined) return rest;
  const whole = keys.map((key) => [
    key,
    forms.get(key) === 1 ? replacing(values[key]) : values[key],
  ]);
  return [{ ...first, values: { ...first.values, ...Object.fromEntries(whole) } }, ...others];
}

/** Replaces a value past its reducer: messages would not be made of what `__overwrite__` has. */
function replacing(value: unknown): unknown {
  return isMessages(value) ? replacingMessages(value) : { __overwrite__: value };
}
