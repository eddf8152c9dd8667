import { expect } from "chai";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { planOf } from "../../../provider/deployment/declared/plan";
import { rollbackTo } from "../../../provider/deployment/rollout/rollback-plan";
import { ignoring } from "../../../provider/deployment/service/ignored";
import { patchBack, patchOf } from "../../../provider/deployment/service/patch";
import type { Props } from "../../../provider/arguments/props";
import type { Deployment } from "../../../sdk";
import { aDeployment } from "../../support/builders";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";

/** The PATCH of a change where the service has this by now. */
function sent(before: Props, after: Props, ignored: string[], there: Partial<Deployment>) {
  const deployment = aDeployment(there);
  const program = declaredBy({ ...after, __ignored: ignored });
  const own = ignoring(program, deployment);
  return patchOf(planOf(own(declaredBy(before)), own(program)), deployment).body;
}

describe("what ignoreChanges names", () => {
  const variables = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  const state = { A: "1", KEY: "state", "my.level": "state" };

  for (const [what, ignored, there, wanted] of [
    ["a variable", ["secrets.KEY"], { ...state, KEY: "theirs" }, { KEY: "theirs" }],
    [
      "one with dots in its name",
      ['secrets["my.level"]'],
      { ...state, "my.level": "t" },
      { "my.level": "t" },
    ],
    [
      "every variable",
      ["secrets"],
      { ...state, A: "5", KEY: "t", NEW: "n" },
      { A: "5", KEY: "t", NEW: "n" },
    ],
    ["each variable", ["secrets.*"], { ...state, A: "5", KEY: "t" }, { A: "5", KEY: "t" }],
    [
      "one that was added elsewhere",
      ["secrets.NEW"],
      { ...state, NEW: "n", GONE: "g" },
      { NEW: "n" },
    ],
  ] as const)
    it(`is sent with the service's value: ${what}`, () => {
      const before = { ...GIT_INPUTS, secrets: state, env: { LEVEL: "1" } };
      const isWhole = what.startsWith("e");
      const after = {
        ...before,
        env: { LEVEL: "2" },
        secrets: isWhole ? state : { ...state, A: "2" },
      };
      const secrets = variables({ ...there, LEVEL: "1" });
      const expected = { ...state, ...(!isWhole && { A: "2" }), ...wanted, LEVEL: "2" };
      expect(sent(before, after, [...ignored], { secrets }).secrets).to.have.deep.members(
        variables(expected),
      );
    });

  it("stays removed where another client removed it", () => {
    const before = { ...GIT_INPUTS, secrets: state };
    const after = { ...before, secrets: { ...state, A: "2" } };
    const { KEY: _, ...left } = state;
    const { secrets } = sent(before, after, ["secrets.KEY"], { secrets: variables(left) });
    expect(secrets).to.have.deep.members(variables({ ...left, A: "2" }));
  });

  describe("of a size", () => {
    const size = (resourceSpec: object): Props => ({
      ...IMAGE_INPUTS,
      sourceConfig: { resourceSpec },
    });
    const sidecars = (...images: string[]) =>
      images.map((image, at) => ({ name: `s${at}`, image }));
    const x = "example.com/x";
    for (const [what, path, before, after, there, expected] of [
      [
        "an annotation",
        `annotations["${x}"]`,
        { annotations: { [x]: "state", team: "a" } },
        { annotations: { [x]: "state", team: "b" } },
        { annotations: { [x]: "theirs", team: "a" } },
        { annotations: { [x]: "theirs", team: "b" } },
      ],
      [
        "a member of an item of a list",
        "sidecars[0].image",
        { sidecars: sidecars("state:1", "b:1") },
        { sidecars: sidecars("state:1", "b:2") },
        { sidecars: sidecars("theirs:1", "b:1") },
        { sidecars: sidecars("theirs:1", "b:2") },
      ],
      [
        "a member of all items",
        "sidecars[*].image",
        { cpu: 1, sidecars: sidecars("state:1", "state:1") },
        { cpu: 2, sidecars: sidecars("state:1", "state:1") },
        { cpu: 1, sidecars: sidecars("theirs:1", "theirs:2") },
        { cpu: 2, sidecars: sidecars("theirs:1", "theirs:2") },
      ],
      [
        "an amount",
        "memoryMb",
        { cpu: 1, memoryMb: 1 },
        { cpu: 2, memoryMb: 1 },
        { cpu: 1, memory_mb: 9 },
        { cpu: 2, memory_mb: 9 },
      ],
    ] as const)
      it(`is sent with the service's value, and all else as declared: ${what}`, () => {
        const resource_spec = there;
        const body = sent(size(before), size(after), [`sourceConfig.resourceSpec.${path}`], {
          source: "external_container",
          source_config: { resource_spec },
          source_revision_config: { image_uri: IMAGE_INPUTS.sourceRevisionConfig.imageUri },
        });
        expect(body.source_config?.resource_spec).to.deep.equal(expected);
      });
  });

  for (const path of ["sourceRevisionConfig.repoRef", 'sourceRevisionConfig["repoRef"]', "*"])
    it(`is not sent where only the service has another value: ${path}`, () => {
      const state = {
        ...GIT_INPUTS,
        sourceConfig: { ...GIT_INPUTS.sourceConfig, installCommand: "npm ci" },
      };
      const there = {
        source_config: { install_command: "npm i" },
        source_revision_config: { repo_ref: "theirs" },
      };
      expect(sent(state, state, [path, "sourceConfig.installCommand"], there)).to.deep.equal({});
    });

  it("is not sent from the last good revision by a rollback", () => {
    const of = (A: string, KEY: string) => ({ ...GIT_INPUTS, secrets: { A, KEY } });
    const deployment = aDeployment({ secrets: variables({ A: "2", KEY: "theirs" }) });
    const program = declaredBy({ ...of("2", "state"), __ignored: ["secrets.KEY"] });
    const lastGood = {
      revision: { id: "1", repoRef: "refs/tags/v1", repoCommitSha: null, imageUri: null },
      declared: declaredBy(of("1", "older")),
    };
    const plan = rollbackTo(lastGood, program, deployment);
    if (typeof plan === "string") throw new Error(plan);
    const { secrets } = patchBack(plan.back, deployment).body;
    expect(secrets).to.deep.equal(variables({ A: "1", KEY: "theirs" }));
    expect(plan.putBack.props["secrets"], "the state holds no value of others").to.deep.equal({
      A: "1",
      KEY: "older",
    });
  });

  describe("and the service does not show", () => {
    const before = { ...GIT_INPUTS, secrets: { A: "1", KEY: "state" } };
    const changed = { ...before, secrets: { A: "2", KEY: "state" } };
    for (const [how, secrets] of [
      ["leaves all variables out", null],
      [
        "masks it",
        [
          { name: "A", value: "1" },
          { name: "KEY", value: "****" },
        ],
      ],
      [
        "masks all",
        [
          { name: "A", value: "" },
          { name: "KEY", value: "" },
        ],
      ],
      ["gives no value", [{ name: "A", value: "1" }, { name: "KEY" }]],
    ] as const)
      it(`refuses to send it, and names it and the way out, where the service ${how}`, () => {
        const there = { secrets: secrets && [...secrets] };
        expect(() => sent(before, changed, ["secrets.KEY"], there)).to.throw(
          /'support': this change sends variable KEY too.*does not show.*remove it from ignoreChanges/,
        );
        const ref = { ...before, sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "g" } };
        expect(sent(before, ref, ["secrets.KEY"], there), "variables stay").not.to.have.property(
          "secrets",
        );
      });

    it("refuses to request a revision of a ref that the service shows as a commit", () => {
      const there = { source_revision_config: { repo_ref: "a".repeat(40) } };
      const redeploying = (redeployOn: number) => ({ ...GIT_INPUTS, redeployOn });
      const ignored = ["sourceRevisionConfig.repoRef"];
      expect(() => sent(redeploying(1), redeploying(2), ignored, there)).to.throw(
        "sends repoRef too",
      );
    });
  });
});
