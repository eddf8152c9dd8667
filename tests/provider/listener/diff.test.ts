import { expect } from "chai";
import { difference as compare, listenerArguments } from "../../../provider/listener/diff";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";

const inputs = (k8sNamespaces: unknown = ["a", "b"], more: Props = {}) => ({
  computeType: "k8s",
  computeId: "cluster-1",
  computeConfig: { k8sNamespaces },
  ...more,
});

const difference = (olds: Props, news: Props) =>
  compare(listenerArguments.decode(olds), listenerArguments.decode(news));

describe("a listener's arguments", () => {
  const fine: [string, Props][] = [
    ["the least", inputs()],
    ["another compute type without namespaces", inputs([], { computeType: "vm" })],
    ["an unknown configuration", inputs([], { computeConfig: UNKNOWN })],
    ["unknown namespaces", inputs(UNKNOWN)],
    ["one unknown namespace", inputs(["agents", UNKNOWN])],
  ];
  for (const [what, given] of fine)
    it(`may be ${what}`, () => expect(listenerArguments.problems(given)).to.deep.equal([]));

  const NAMESPACES = "computeConfig.k8sNamespaces";
  const NONE = "must name a namespace for the compute type k8s";
  for (const [given, property, reason] of [
    [inputs([], { computeConfig: undefined }), "computeConfig", "is required"],
    [inputs(["a", ""]), `${NAMESPACES}[1]`, "must be a non-empty string"],
    [inputs(undefined, { computeConfig: {} }), NAMESPACES, NONE],
    [inputs([]), NAMESPACES, NONE],
  ] as const)
    it(`report for ${JSON.stringify(given)}: ${property} ${reason}`, () =>
      expect(listenerArguments.problems(given)).to.deep.equal([{ property, reason }]));
});

describe("listener diff", () => {
  it("replaces when the compute id changes, and creates the new one first", () =>
    expect(
      difference(inputs(), inputs(["a", "b"], { computeType: "vm", computeId: "vm-1" })),
    ).to.deep.equal({
      result: { replaces: ["computeType", "computeId"], deleteBeforeReplace: false },
      message:
        "replaced, since computeType, computeId can't be changed: the new listener is created first, then the deployments that it places are replaced, and the old one is deleted last",
      loss: "the new listener is created first, then the deployments that it places are replaced, and the old one is deleted last",
    }));

  it("deletes first when only the compute type changes, as a compute has one listener only", () =>
    expect(difference(inputs(), inputs(["a", "b"], { computeType: "vm" }))).to.deep.equal({
      result: { replaces: ["computeType"], deleteBeforeReplace: true },
      message:
        "replaced, since computeType can't be changed: deleted first, which the service refuses while it places deployments",
      loss: "deleted first, which the service refuses while it places deployments",
    }));

  it("changes namespaces in place and names them", () =>
    expect(difference(inputs(["a", "b"]), inputs(["c", "b"]))).to.deep.equal({
      result: {},
      message: "an update changes the namespaces in place: c added, a removed",
    }));

  it("says what stays when namespaces are removed", () =>
    expect(difference(inputs(["a", "b"]), inputs(undefined, { computeConfig: {} }))).to.deep.equal({
      result: {},
      message: "its namespaces are removed from the program and stay: a, b",
    }));

  const nothing: [string, Props, Props][] = [
    ["the same inputs", inputs(), inputs()],
    ["another order of namespaces", inputs(["a", "b"]), inputs(["b", "a"])],
    ["another case of the compute id", inputs(["a"]), inputs(["a"], { computeId: "CLUSTER-1" })],
    ["no names", inputs(undefined, { computeConfig: {} }), inputs(null, { computeConfig: {} })],
  ];
  for (const [what, olds, news] of nothing)
    it(`sees no change in ${what}`, () =>
      expect(difference(olds, news)).to.deep.equal({
        result: { changes: false },
        message: undefined,
      }));

  it("says that it may be replaced where only the update knows", () =>
    expect(
      difference(inputs(), inputs(["a", "c"], { computeType: UNKNOWN, computeId: UNKNOWN })),
    ).to.deep.equal({
      result: {},
      message:
        "may be replaced, depending on a value known only during the update (computeType, computeId); an update changes the namespaces in place: c added, b removed",
    }));

  const unknown: [string, Props][] = [
    ["namespaces", inputs(UNKNOWN)],
    ["one of the namespaces", inputs(["a", UNKNOWN])],
    ["configuration", inputs([], { computeConfig: UNKNOWN })],
  ];
  for (const [what, news] of unknown)
    it(`neither replaces nor says anything because of unknown ${what}`, () =>
      expect(difference(inputs(), news)).to.deep.equal({ result: {}, message: undefined }));
});
