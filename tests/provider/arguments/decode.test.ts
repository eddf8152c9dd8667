import { expect } from "chai";
import { z } from "zod";
import { defineArguments } from "../../../provider/arguments/arguments";
import { known, Unknown } from "../../../provider/arguments/decode";
import { UNKNOWN } from "../../../provider/arguments/props";

const { decode } = defineArguments({
  name: { schema: z.enum(["a", "b"]), effect: "replace" },
  config: {
    schema: z.object({ id: z.string(), names: z.array(z.string()).nullish() }).optional(),
    effect: "settings",
  },
  labels: { schema: z.record(z.string(), z.unknown()).optional(), effect: "settings" },
});

describe("decoded inputs", () => {
  it("have the values of the schema, and keep all that they were read from", () => {
    const props = { name: "a", config: { id: "b", names: ["c"] }, __urn: "urn", other: 1 };
    const { props: kept, ...values } = decode(props);
    expect(kept).to.equal(props);
    const { name, config } = props;
    expect(values).to.deep.equal({ name, config, labels: undefined });
  });

  it("have unknown as a value: of a member by itself, of a list or a free-form object as a whole", () => {
    const config = { id: UNKNOWN, names: ["c", UNKNOWN] };
    const decoded = decode({ name: UNKNOWN, config, labels: { a: 1, b: UNKNOWN } });
    expect(decoded.config).to.deep.equal({ id: Unknown, names: Unknown });
    expect([decoded.name, decoded.labels]).to.deep.equal([Unknown, Unknown]);
    expect(known(decoded.name)).to.equal(undefined);
  });

  it("keep a string that the service has and a check refuses", () =>
    expect(decode({ name: "later" }).name).to.equal("later"));

  it("take null, and what no check has let pass, for absent", () => {
    const { props: _, ...values } = decode({ name: 7, config: null, labels: "b" });
    expect(values).to.deep.equal({ name: undefined, config: undefined, labels: undefined });
  });
});
