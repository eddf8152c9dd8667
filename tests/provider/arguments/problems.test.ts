import { expect } from "chai";
import { z } from "zod";
import { camelSchema } from "../../../provider/arguments/camel-schema";
import { problemsOf, type Rule } from "../../../provider/arguments/problems";
import { type Props, UNKNOWN, valueAt } from "../../../provider/arguments/props";

const WIRE = z.object({
  resource_spec: z
    .object({
      min_scale: z.int().nullish(),
      first_zone: z.string().nullish(),
      last_zone: z.string().nullish(),
    })
    .refine(({ first_zone, last_zone }) => (first_zone ?? "a") <= (last_zone ?? "z"), {
      path: ["last_zone"],
      message: "must not come before the first",
    })
    .nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
});
const SCHEMA = z.object({
  name: z.string().min(1),
  size: z.number().gt(0).optional(),
  kind: z.enum(["small", "large"]).optional(),
  ready: z.boolean().optional(),
  count: z.int().min(1).max(9).optional(),
  even: z
    .int()
    .refine((given) => given % 2 === 0, "must be even")
    .optional(),
  items: z.array(z.string()).min(1).optional(),
  config: camelSchema(WIRE).optional(),
  any: z.unknown().optional(),
});
const RULES: Rule[] = [
  {
    of: ["name", "config.labels.team"],
    property: "name",
    reason: "cannot be the team's",
    isBroken: (inputs) => valueAt(inputs, "config.labels.team") === (inputs["name"] ?? null),
  },
];
const problems = (inputs: Props) =>
  problemsOf(SCHEMA, inputs, RULES).map(({ property, reason }) => `${property}: ${reason}`);

describe("the problems of inputs", () => {
  it("are all reported at once, by dotted paths, each as the field says it", () =>
    expect(
      problems({
        size: 0,
        kind: "huge",
        ready: "yes",
        count: 10,
        items: [],
        config: { resourceSpec: { minScale: 0.5, lastzone: "a" }, labels: "a" },
        nmae: "a",
      }),
    ).to.deep.equal([
      ": unknown argument 'nmae'; did you mean name?",
      ": unknown argument 'config.resourceSpec.lastzone'; did you mean config.resourceSpec.lastZone?",
      "name: is required",
      "size: must be greater than 0",
      "kind: must be one of small, large",
      "ready: must be true or false",
      "count: must be at most 9",
      "items: must be a non-empty array",
      "config.resourceSpec.minScale: must be a whole number",
      "config.labels: must be an object",
    ]));

  it("count an unknown value of whatever type as right, and null as absent", () => {
    const unknown = { name: UNKNOWN, size: UNKNOWN, items: [UNKNOWN], config: UNKNOWN };
    expect(problems({ ...unknown, kind: null, __urn: "urn" })).to.be.empty;
    expect(problems({ ...unknown, even: 1 })).to.deep.equal(["even: must be even"]);
    expect(problems({ name: null })).to.deep.equal(["name: is required"]);
  });

  it("name each number that JSON does not have, also where any value is taken", () =>
    expect(
      problems({ name: "a", size: NaN, any: { list: [1, -Infinity], inner: { a: NaN } } }),
    ).to.eql([
      "size: must be a number",
      "any.list[1]: is -Infinity, which JSON does not have",
      "any.inner.a: is NaN, which JSON does not have",
    ]));

  it("hold the wire's rules across values, in the user's spelling, once all of them are known", () => {
    const placed = (resourceSpec: Props) => problems({ name: "a", config: { resourceSpec } });
    expect(placed({ firstZone: "c", lastZone: "b" })).to.deep.equal([
      "config.resourceSpec.lastZone: must not come before the first",
    ]);
    expect(placed({ firstZone: UNKNOWN, lastZone: "0" })).to.be.empty;
  });

  it("hold our own rules across values once the values that they name are known", () => {
    const labelled = (team: unknown, other: unknown) =>
      problems({ name: "a", config: { labels: { team, other } } });
    expect(labelled("a", "b")).to.deep.equal(["name: cannot be the team's"]);
    expect(labelled("a", UNKNOWN)).to.deep.equal(["name: cannot be the team's"]);
    expect(problems({ name: UNKNOWN, config: { labels: { team: UNKNOWN } } })).to.be.empty;
  });
});
