import { expect } from "chai";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { unsettledOutputs } from "../../../provider/deployment/service/outputs";
import { openRollout, stateOf } from "../../../provider/deployment/declared/state";
import { differenceBetween } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";

const DONE = { rollout: { revisionId: "r1", state: "done" } };
const GIT = { ...GIT_INPUTS, name: "support", ...DONE };
const IMAGE = { ...IMAGE_INPUTS, name: "support", ...DONE };
type Inputs = Record<string, unknown> & { sourceConfig: object; sourceRevisionConfig: object };
const config = (inputs: Inputs, members: object) => ({
  ...inputs,
  sourceConfig: { ...inputs.sourceConfig, ...members },
});
const source = (inputs: Inputs, members: object) => ({
  ...inputs,
  sourceRevisionConfig: { ...inputs.sourceRevisionConfig, ...members },
});
const resourceSpec = (spec: object) => config(IMAGE, { resourceSpec: spec });
const sidecars = (...names: readonly string[]) =>
  resourceSpec({ sidecars: names.map((name) => ({ name, image: "registry.example.com/a:1" })) });

const IN_NAMESPACE = { listenerConfig: { k8sNamespace: "x" } };

describe("deployment diff", () => {
  const replaced: [string, Props, Props][] = [
    ["name", GIT, { ...GIT, name: "other" }],
    ["source", GIT, { ...IMAGE, sourceConfig: GIT.sourceConfig }],
    ["sourceConfig.integrationId", GIT, config(GIT, { integrationId: "x" })],
    ["sourceConfig.repoUrl", GIT, config(GIT, { repoUrl: "x" })],
    ["sourceConfig.deploymentType", GIT, config(GIT, { deploymentType: "prod" })],
    ["sourceConfig.listenerId", IMAGE, config(IMAGE, { listenerId: "x" })],
    ["sourceConfig.listenerConfig.k8sNamespace", IMAGE, config(IMAGE, IN_NAMESPACE)],
  ];
  for (const [path, olds, news] of replaced)
    it(`replaces, deleting first, when ${path} changes, and says so`, () => {
      const { result, message } = differenceBetween(olds, news);
      expect(result.replaces).to.include(path);
      expect(result.deleteBeforeReplace).to.equal(true);
      expect(result.changes).to.equal(undefined);
      expect(message).to.contain("its threads and database are deleted with it");
    });

  const revisions: [string, Props, Props][] = [
    ["the ref", GIT, source(GIT, { repoRef: "next" })],
    ["the configuration's path", GIT, source(GIT, { graphConfigPath: "x.json" })],
    ["the image", IMAGE, source(IMAGE, { imageUri: "y" })],
    ["the install command", GIT, config(GIT, { installCommand: "x" })],
    ["the build command", GIT, config(GIT, { buildCommand: "x" })],
    ["a new variable", GIT, { ...GIT, env: { A: "1" } }],
    ["a variable's value", { ...GIT, secrets: { A: "1" } }, { ...GIT, secrets: { A: "2" } }],
    ["a removed variable", { ...GIT, env: { A: "1", B: "1" } }, { ...GIT, env: { A: "1" } }],
    ["an added size", IMAGE, resourceSpec({ cpu: 1 })],
    ["another size", resourceSpec({ cpu: 1 }), resourceSpec({ cpu: 2 })],
    ["a sidecar after another", sidecars("a"), sidecars("a", "b")],
    ["the last sidecar taken away", sidecars("a", "b"), sidecars("a")],
    ["redeployOn from one value to another", { ...GIT, redeployOn: 1 }, { ...GIT, redeployOn: 2 }],
  ];
  for (const [what, olds, news] of revisions)
    it(`updates in place with a new revision for ${what}`, () => {
      const { result, message } = differenceBetween(olds, news);
      expect(result).to.deep.equal({});
      expect(message, "the preview").to.match(/^an update creates a new revision: /);
    });

  it("says that a setting creates no revision", () => {
    for (const [name, olds, news] of [
      ["buildOnPush", GIT, config(GIT, { buildOnPush: true })],
      ["customUrl", IMAGE, config(IMAGE, { customUrl: "https://a.example.com" })],
    ] as const)
      expect(differenceBetween(olds, news)).to.deep.equal({
        result: {},
        message: `an update changes settings only, without a new revision: ${name}`,
      });
  });

  const SIZE = { cpu: 0.5, memoryMb: 512 };
  const A = { A: "1" };
  const silent: [string, Props, Props][] = [
    ["a variable that moves to the secrets", { ...GIT, env: A }, { ...GIT, secrets: A }],
    ["redeployOn given for the first time", GIT, { ...GIT, redeployOn: 1 }],
    ["redeployOn taken away", { ...GIT, redeployOn: 1 }, GIT],
    ["a size as text", resourceSpec({ cpu: "500m", memoryMb: "512" }), resourceSpec(SIZE)],
    ["another wait", GIT, { ...GIT, wait: { until: "deployed" } }],
    ["adoptExisting", GIT, { ...GIT, adoptExisting: true }],
  ];
  for (const [what, olds, news] of silent)
    it(`only rewrites the outputs for ${what}`, () =>
      expect(differenceBetween(olds, news)).to.deep.equal({ result: {}, message: undefined }));

  const derived = (name: string) => ({ ...GIT, name, __nameDerived: true });
  const OTHER_FORM = "https://GIT.example.com:443/acme/support/";
  const UPPER = GIT_INPUTS.sourceConfig.integrationId.toUpperCase();
  const LONG_REF = { repoRef: "refs/heads/main", graphConfigPath: "./langgraph.json" };
  const nothing: [string, Props, Props][] = [
    ["the same inputs", GIT, GIT],
    ["hidden inputs", { ...GIT, __urn: "a" }, { ...GIT, __urn: "b" }],
    ["outputs that are no inputs", { ...GIT, status: "READY", latestRevisionId: "r9" }, GIT],
    ["buildOnPush: false that was left out", GIT, { ...GIT, __nameDerived: false }],
    ["a derived name that moved on at create", derived("support-2"), derived("support-1")],
    ["null for absence", { ...GIT, redeployOn: [{}] }, { ...GIT, redeployOn: [{ a: null }] }],
    ["another form of a URL", GIT, config(GIT, { repoUrl: OTHER_FORM })],
    ["another form of an id", GIT, config(GIT, { integrationId: UPPER })],
    ["another form of what creates a revision", GIT, source(GIT, LONG_REF)],
  ];
  for (const [what, olds, news] of nothing)
    it(`sees no change in ${what}`, () =>
      expect(differenceBetween(olds, news).result).to.deep.equal({ changes: false }));

  it("never replaces because of an unknown value", () => {
    const news = config(GIT, { repoUrl: UNKNOWN, integrationId: UNKNOWN });
    expect(differenceBetween(GIT, news).result).to.deep.equal({});
  });

  for (const state of ["pending", "failed"] as const)
    it(`has something to do while the rollout is ${state}, says what, and leaves inputs to the engine`, () => {
      const olds = { ...GIT, rollout: { revisionId: "r1", state } };
      const { result, message } = differenceBetween(olds, GIT);
      expect(result).to.deep.equal({ changes: true });
      expect(message).to.contain("revision r1");
      expect(differenceBetween(olds, source(GIT, { repoRef: "next" })).result).to.deep.equal({});
    });

  it("waits for more than the last one did also where no revision was shown yet", () => {
    const rollout = { revisionId: null, state: "done" };
    const olds = stateOf({ ...GIT, wait: { until: "none" }, rollout });
    expect(openRollout(olds, declaredBy(GIT)).state).to.equal("pending");
    expect(openRollout(olds, olds.declared).state).to.equal("done");
  });

  it("leaves the outputs known that an update surely does not change, the URL above all", () => {
    const unsettled = (olds: Props, news: Props) =>
      unsettledOutputs(stateOf({ ...olds, ready: true }), declaredBy(news));
    const ofRevisions = unsettled(GIT, { ...GIT, env: { A: "1" } });
    expect(ofRevisions).to.include("latestRevisionId").and.not.include("url");
    expect(unsettled(IMAGE, source(IMAGE, { imageUri: "registry.example.com/agent:2" }))).to.eql([
      ...ofRevisions,
      "imageVersion",
    ]);
    expect(unsettled(GIT, config(GIT, { buildOnPush: true }))).to.eql(["updatedAt"]);
    const urlChanges: [Props, Props][] = [
      [IMAGE, config(IMAGE, { customUrl: UNKNOWN })],
      [IMAGE, config(IMAGE, { customUrl: "https://agent.example.com" })],
      [GIT, config(GIT, { repoUrl: "x" })],
      [GIT, config(GIT, { repoUrl: UNKNOWN })],
    ];
    for (const [olds, news] of urlChanges) expect(unsettled(olds, news)).to.include("url");
    expect(unsettled({ ...GIT, url: null }, { ...GIT, env: A }), "none yet").to.include("url");
  });
});
