import { expect } from "chai";
import { untyped } from "./values";

/** A thing that a hook makes, for tests that name it before: each use of a member is one of what is made then. */
export function later<Thing extends object>(made: () => Thing | undefined): Thing {
  const thing = () => made() ?? expect.fail("it is used before it is made");
  return new Proxy<Thing>(untyped({}), {
    get(_, name) {
      const member: unknown = Reflect.get(thing(), name);
      return typeof member === "function" ? member.bind(thing()) : member;
    },
    set: (_, name, value) => Reflect.set(thing(), name, value),
  });
}
