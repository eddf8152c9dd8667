import { expect } from "chai";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { planOf } from "../../../provider/deployment/declared/plan";
import { rollbackTo } from "../../../provider/deployment/rollout/rollback-plan";
import { ignoring } from "../../../provider/deployment/service/ignored";
import { patchBack, patchOf } from "../../../provider/deployment/service/patch";
import type { Props } from "../../../provider/arguments/props";
import type { Deployment } from "../../../sdk";
import { aDeployment, variablesOf } from "../../support/builders";
import { useDeployments } from "../../support/deployment-lifecycle";
import { GIT_INPUTS, IMAGE_INPUTS, sized, withConfig } from "../../support/inputs";
import { anImageDeployment } from "../../support/platform";

/** The PATCH of a change where the service has this by now. */
function sent(before: Props, after: Props, ignored: string[], there: Partial<Deployment>) {
  const deployment = aDeployment(there);
  const program = declaredBy({ ...after, __ignored: ignored });
  const own = ignoring(program, deployment);
  return patchOf(planOf(own(declaredBy(before)), own(program)), deployment).body;
}

describe("what ignoreChanges names", () => {
  const recorded = { A: "1", KEY: "state", "my.level": "state" };
  const theirs = { A: "5", KEY: "theirs", "my.level": "theirs", NEW: "theirs" };
  const { KEY: _, ...left } = recorded;
  const dotted = { ...recorded, A: "2", "my.level": "theirs" };

  for (const [what, path, there, expected] of [
    ["a variable", "secrets.KEY", theirs, { ...recorded, A: "2", KEY: "theirs" }],
    ["one with dots in its name", 'secrets["my.level"]', theirs, dotted],
    ["one that was added elsewhere", "secrets.NEW", theirs, { ...recorded, A: "2", NEW: "theirs" }],
    ["one that was removed elsewhere", "secrets.KEY", left, { ...left, A: "2" }],
    ["every variable", "secrets", theirs, theirs],
    ["each variable", "secrets.*", theirs, theirs],
  ] as const)
    it(`is sent with the service's value, where variables are sent as a whole: ${what}`, () => {
      const before = { ...GIT_INPUTS, env: { LEVEL: "1" }, secrets: recorded };
      const after = { ...before, env: { LEVEL: "2" }, secrets: { ...recorded, A: "2" } };
      const secrets = variablesOf({ ...there, LEVEL: "1" });
      expect(sent(before, after, [path], { secrets }).secrets).to.have.deep.members(
        variablesOf({ ...expected, LEVEL: "2" }),
      );
    });

  it("stays where another client added it, whatever of env is named", () => {
    const before = { ...GIT_INPUTS, env: { LEVEL: "1" }, secrets: { A: "1" } };
    const after = { ...before, secrets: { A: "2" } };
    const secrets = variablesOf({ A: "1", LEVEL: "1", NEW: "theirs" });
    for (const path of ["env.NEW", "env.*", "env"])
      expect(sent(before, after, [path], { secrets }).secrets, path).to.have.deep.members(
        variablesOf({ A: "2", LEVEL: "1", NEW: "theirs" }),
      );
  });

  describe("of a size", () => {
    const x = "example.com/x";
    const annotated = (value: string, team: string) => ({ annotations: { [x]: value, team } });
    const beside = (cpu: number, ...images: string[]) => {
      return { cpu, sidecars: images.map((image, at) => ({ name: `s${at}`, image })) };
    };
    for (const [what, path, before, after, there, expected] of [
      [
        "an annotation",
        `annotations["${x}"]`,
        annotated("state", "a"),
        annotated("state", "b"),
        annotated("theirs", "a"),
        annotated("theirs", "b"),
      ],
      [
        "a member of an item of a list",
        "sidecars[0].image",
        beside(1, "state:1", "b:1"),
        beside(1, "state:1", "b:2"),
        beside(1, "theirs:1", "b:1"),
        beside(1, "theirs:1", "b:2"),
      ],
      [
        "a member of all items",
        "sidecars[*].image",
        beside(1, "state:1", "state:1"),
        beside(2, "state:1", "state:1"),
        beside(1, "theirs:1", "theirs:2"),
        beside(2, "theirs:1", "theirs:2"),
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
        const body = sent(sized(before), sized(after), [`sourceConfig.resourceSpec.${path}`], {
          source: "external_container",
          source_config: { resource_spec: there },
          source_revision_config: { image_uri: IMAGE_INPUTS.sourceRevisionConfig.imageUri },
        });
        expect(body.source_config?.resource_spec).to.deep.equal(expected);
      });
  });

  for (const path of ["sourceRevisionConfig.repoRef", 'sourceRevisionConfig["repoRef"]', "*"])
    it(`is not sent where only the service has another value: ${path}`, () => {
      const state = withConfig(GIT_INPUTS, { installCommand: "npm ci" });
      const there = {
        source_config: { install_command: "npm i" },
        source_revision_config: { repo_ref: "theirs" },
      };
      expect(sent(state, state, [path, "sourceConfig.installCommand"], there)).to.deep.equal({});
    });

  /** The plan of a rollback to a revision that had these secrets, of a program that has those. */
  const planBack = (before: Props, after: Props, ignored: string, there: Partial<Deployment>) => {
    const declared = declaredBy({ ...GIT_INPUTS, secrets: before });
    const program = declaredBy({ ...GIT_INPUTS, secrets: after, __ignored: [ignored] });
    const revision = { id: "1", repoRef: "main", repoCommitSha: null, imageUri: null };
    return rollbackTo({ revision, declared }, program, aDeployment(there));
  };

  it("is not sent from the last good revision by a rollback", () => {
    const there = { secrets: variablesOf({ A: "2", KEY: "theirs" }) };
    const good = { A: "1", KEY: "older" };
    const plan = planBack(good, { A: "2", KEY: "state" }, "secrets.KEY", there);
    if (typeof plan === "string") throw new Error(plan);
    const { secrets } = patchBack(plan.back, aDeployment(there)).body;
    expect(secrets).to.deep.equal(variablesOf({ A: "1", KEY: "theirs" }));
    expect(plan.putBack.props["secrets"], "no value of others in the state").to.deep.equal(good);
  });

  for (const [member, rotated] of [
    ["repoRef", { repo_ref: "theirs" }],
    ["graphConfigPath", { graph_config_path: "theirs.json" }],
  ] as const)
    it(`is not taken back by a rollback to a revision that was built from another one: ${member}`, () => {
      const ours = { repo_ref: "main", graph_config_path: "langgraph.json" };
      const back = (changed: object) =>
        planBack({ A: "1" }, { A: "2" }, `sourceRevisionConfig.${member}`, {
          source_revision_config: { ...ours, ...changed },
          secrets: variablesOf({ A: "2" }),
        });
      expect(back({})).to.be.an("object");
      expect(back(rotated)).to.contain(`names ${member}`);
    });

  describe("and the service does not show", () => {
    const before = { ...GIT_INPUTS, secrets: { A: "1", KEY: "state" } };
    const changed = { ...before, secrets: { A: "2", KEY: "state" } };
    for (const [how, secrets] of [
      ["leaves all variables out", null],
      ["masks it", variablesOf({ A: "1", KEY: "****" })],
      ["masks all", variablesOf({ A: "", KEY: "" })],
      ["gives no value", variablesOf({ A: "1", KEY: undefined })],
    ] as const)
      it(`refuses to send it, and names it and the way out, where the service ${how}`, () => {
        const there = { secrets: secrets && [...secrets] };
        expect(() => sent(before, changed, ["secrets.KEY"], there)).to.throw(
          /'support': this change sends variable KEY too.*does not show.*remove it from ignoreChanges/,
        );
        const ref = { ...before, sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "g" } };
        const body = sent(before, ref, ["secrets.KEY"], there);
        expect(body, "variables stay").not.to.have.property("secrets");
      });

    it("refuses to request a revision of a ref that the service shows as a commit", () => {
      const there = { source_revision_config: { repo_ref: "a".repeat(40) } };
      const of = (redeployOn: number) => ({ ...GIT_INPUTS, redeployOn });
      expect(() => sent(of(1), of(2), ["sourceRevisionConfig.repoRef"], there)).to.throw(
        "sends repoRef too",
      );
    });
  });
});

describe("what a program ignores, and another client has changed", () => {
  /** What happens at the first poll of a revision. */
  let atPoll: (() => Promise<unknown>) | undefined;
  beforeEach(() => (atPoll = undefined));
  const stack = useDeployments({
    meddle: async ({ method, url }, _response, pass) => {
      const rotate = method === "GET" && url.includes("/revisions/") ? atPoll : undefined;
      if (rotate) atPoll = undefined;
      await rotate?.();
      await pass();
    },
  });
  const inputs = (A: string, more: Props = {}): Props =>
    stack.image("v1", {
      name: "support",
      secrets: { A, KEY: "old" },
      __ignored: ["secrets.KEY"],
      ...more,
    });
  const secrets = (A: string) => variablesOf({ A, KEY: "rotated" });
  const rotate = (id: string, A: string) => stack.changeElsewhere(id, { secrets: secrets(A) });
  const expectThere = async (id: string, A: string) =>
    expect((await stack.get(id)).secrets).to.deep.equal(secrets(A));

  it("keeps its value in an update, and the state is as the engine has it", async () => {
    const made = await stack.create(inputs("1"));
    await rotate(made.id, "1");
    const { outs } = await stack.update(made, inputs("2"));
    await expectThere(made.id, "2");
    expect(outs["secrets"]).to.deep.equal({ A: "2", KEY: "old" });
  });

  it("does not count as a change where nothing else changes", async () => {
    const made = await stack.create(inputs("1"));
    await rotate(made.id, "1");
    stack.said.length = 0;
    await stack.update(made, inputs("1", { wait: { timeoutSeconds: 99 } }));
    await expectThere(made.id, "1");
    expect(await stack.revisions(made.id)).to.have.length(2);
    expect(stack.said.join()).not.to.contain("has these values already");
  });

  it("keeps its value in an adoption", async () => {
    const { id } = await stack.test.create({
      name: "support",
      ...anImageDeployment("registry.example.com/a:v1"),
    });
    await rotate(id, "5");
    await stack.create(inputs("1", { adoptExisting: true }));
    await expectThere(id, "1");
  });

  it("may be a command that only the service has: an adoption leaves it there", async () => {
    const { id, name } = await stack.test.create();
    const source_config = { install_command: "npm i" };
    await stack.test.request("PATCH", `/v2/deployments/${id}`, { source_config });
    const ignored = { __ignored: ["sourceConfig.installCommand"] };
    await stack.create(stack.git("main", { name, adoptExisting: true, ...ignored }));
    expect((await stack.get(id)).source_config.install_command).to.equal("npm i");
  });

  it("keeps its value in a rollback, also one that it got during the roll-out", async () => {
    const onFailure = "rollback";
    const made = await stack.create(inputs("1", { onFailure }));
    stack.fails("DEPLOY_FAILED");
    atPoll = () => rotate(made.id, "2");
    const { sourceRevisionConfig } = stack.image("v2");
    await stack.failed(stack.update(made, inputs("2", { onFailure, sourceRevisionConfig })));
    await expectThere(made.id, "1");
  });
});
