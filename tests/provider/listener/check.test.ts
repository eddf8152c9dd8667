import { expect } from "chai";
import { listenerProblems } from "../../../provider/listener/check";
import { type Props, UNKNOWN } from "../../../provider/inputs/props";

const GOOD = {
  computeType: "k8s",
  computeId: "cluster-1",
  computeConfig: { k8sNamespaces: ["agents"] },
};

describe("listener check", () => {
  const fine: [string, Props][] = [
    ["the least", GOOD],
    ["hidden inputs", { ...GOOD, __urn: "urn", __provider: "text" }],
    ["another compute type without namespaces", { ...GOOD, computeType: "vm", computeConfig: {} }],
    ["an unknown type and id", { ...GOOD, computeType: UNKNOWN, computeId: UNKNOWN }],
    ["an unknown configuration", { ...GOOD, computeConfig: UNKNOWN }],
    ["unknown namespaces", { ...GOOD, computeConfig: { k8sNamespaces: UNKNOWN } }],
    ["one unknown namespace", { ...GOOD, computeConfig: { k8sNamespaces: ["agents", UNKNOWN] } }],
  ];
  for (const [what, inputs] of fine)
    it(`accepts ${what}`, () => expect(listenerProblems(inputs)).to.deep.equal([]));

  const wrong: [Props, string, string][] = [
    [{ ...GOOD, computeType: "" }, "computeType", "must not be empty"],
    [{ ...GOOD, computeId: 1 }, "computeId", "must be of type string"],
    [{ ...GOOD, computeConfig: undefined }, "computeConfig", "is required"],
    [
      { ...GOOD, computeConfig: { k8sNamespaces: ["agents", ""] } },
      "computeConfig.k8sNamespaces[1]",
      "must not be empty",
    ],
    [
      { ...GOOD, computeConfig: { k8sNamespaces: "agents" } },
      "computeConfig.k8sNamespaces",
      "must be of type array",
    ],
    [
      { ...GOOD, computeConfig: {} },
      "computeConfig.k8sNamespaces",
      "must name a namespace for the compute type k8s",
    ],
    [
      { ...GOOD, computeConfig: { k8sNamespaces: [] } },
      "computeConfig.k8sNamespaces",
      "must name a namespace for the compute type k8s",
    ],
    [
      { ...GOOD, computeConfig: { k8sNamespaces: ["a"], namespaces: ["b"] } },
      "computeConfig.namespaces",
      "is no field of the service; did you mean k8sNamespaces?",
    ],
    [{ ...GOOD, computeid: "x" }, "computeid", "is no argument; did you mean computeId?"],
  ];
  for (const [inputs, property, reason] of wrong)
    it(`says of ${JSON.stringify(inputs)} that ${property} ${reason}`, () =>
      expect(listenerProblems(inputs)).to.deep.equal([{ property, reason }]));

  it("reports everything at once, beside what is unknown", () => {
    const inputs = { computeId: UNKNOWN, computeConfig: { k8sNamespaces: [1, UNKNOWN] }, extra: 1 };
    expect(listenerProblems(inputs).map(({ property }) => property)).to.have.members([
      "extra",
      "computeType",
      "computeConfig.k8sNamespaces[0]",
    ]);
  });
});
