import { expect } from "chai";
import { listenerArguments } from "../../../provider/listener/diff";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";

const GOOD = {
  computeType: "k8s",
  computeId: "cluster-1",
  computeConfig: { k8sNamespaces: ["agents"] },
};

describe("a listener's arguments", () => {
  const among = (k8sNamespaces: unknown) => ({ ...GOOD, computeConfig: { k8sNamespaces } });
  const fine: [string, Props][] = [
    ["the least", GOOD],
    ["hidden inputs", { ...GOOD, __urn: "urn", __provider: "text" }],
    ["another compute type without namespaces", { ...GOOD, computeType: "vm", computeConfig: {} }],
    ["an unknown type and id", { ...GOOD, computeType: UNKNOWN, computeId: UNKNOWN }],
    ["an unknown configuration", { ...GOOD, computeConfig: UNKNOWN }],
    ["unknown namespaces", among(UNKNOWN)],
    ["one unknown namespace", among(["agents", UNKNOWN])],
  ];
  for (const [what, inputs] of fine)
    it(`may be ${what}`, () => expect(listenerArguments.problems(inputs)).to.deep.equal([]));

  const NONE = "must name a namespace for the compute type k8s";
  const MEANT =
    "unknown argument 'computeConfig.namespaces'; did you mean computeConfig.k8sNamespaces?";
  const wrong: [Props, string, string][] = [
    [{ ...GOOD, computeType: "" }, "computeType", "must be a non-empty string"],
    [{ ...GOOD, computeId: 1 }, "computeId", "must be a string"],
    [{ ...GOOD, computeConfig: undefined }, "computeConfig", "is required"],
    [among(["a", ""]), "computeConfig.k8sNamespaces[1]", "must be a non-empty string"],
    [among("agents"), "computeConfig.k8sNamespaces", "must be an array"],
    [among(undefined), "computeConfig.k8sNamespaces", NONE],
    [among([]), "computeConfig.k8sNamespaces", NONE],
    [{ ...GOOD, computeConfig: { k8sNamespaces: ["a"], namespaces: ["b"] } }, "", MEANT],
  ];
  for (const [inputs, property, reason] of wrong)
    it(`report for ${JSON.stringify(inputs)}: ${property} ${reason}`, () =>
      expect(listenerArguments.problems(inputs)).to.deep.equal([{ property, reason }]));
});
