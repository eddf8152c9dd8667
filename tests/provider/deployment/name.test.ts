import { expect } from "chai";
import { nameFor } from "../../../provider/deployment/declared/name";
import { Unknown } from "../../../provider/arguments/decode";
import { UNKNOWN } from "../../../provider/arguments/props";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { derivedName } from "../../support/deployment";

const OWN = "pulumi-nodejs:dynamic/agentserver:Deployment";
const urn = (name: string, project = "shop", stack = "dev", parents = "") =>
  `urn:pulumi:${stack}::${project}::${parents}${OWN}::${name}`;
const under = (...parents: readonly string[]) =>
  urn("support", "shop", "dev", parents.map((type) => `${type}$`).join(""));
const GIT = {
  source: "git_host",
  sourceConfig: { repoUrl: "https://git.example.com/a.git", deploymentType: "dev" },
};
const IMAGE = { source: "external_container" };

describe("derived names", () => {
  // The rule is frozen: an unfinished create finds its deployment by it, after an upgrade too.
  const golden = [
    [urn("support"), GIT, 0, "support-dev-03e9b70"],
    [urn("support"), GIT, 1, "support-dev-3f91a85"],
    [urn("support", "shop", "prod"), GIT, 0, "support-prod-74a24aa"],
    [urn("support", "other"), GIT, 0, "support-dev-f985db9"],
    [under("shop:index:Team"), GIT, 0, "support-dev-a4bca7b"],
    [under("shop:index:Region", "shop:index:Team"), GIT, 0, "support-dev-1e50f1a"],
    [under("shop:index:Team", "shop:index:Region"), GIT, 0, "support-dev-3a6758c"],
    [under("agentserver:index:Deployment"), GIT, 0, "support-dev-c12ce74"],
    [under("pulumi-nodejs:dynamic/agentserver:Deployment"), GIT, 0, "support-dev-c12ce74"],
    [
      under("shop:index:Team", "pulumi-nodejs:dynamic/agentserver:Listener"),
      GIT,
      0,
      "support-dev-9f1adab",
    ],
    [urn("a::b::c", "shop", "dev", "shop:index:Team$"), GIT, 0, "a-b-c-dev-76708ef"],
    [urn("Überall & 1"), IMAGE, 0, "berall-1-dev-2f6177a"],
    [urn("1st::part"), IMAGE, 0, "d-1st-par-dev-107368c"],
    [urn("a-very-long-logical-name"), IMAGE, 0, "a-very-lo-dev-b0dddf6"],
    [urn("x".repeat(80)), GIT, 0, `${"x".repeat(51)}-dev-4b29935`],
    // Each keeps its beginning where both are long, and a short one leaves its room to the other.
    [urn("support", "shop", "production"), IMAGE, 0, "support-produ-ad79175"],
    [urn("bot", "shop", "production"), IMAGE, 0, "bot-productio-db03559"],
    [urn("x".repeat(80), "shop", "y".repeat(80)), GIT, 0, `${"x".repeat(50)}-yyyy-9077059`],
    [urn("support", "shop", "Feature_Été/7"), GIT, 0, "support-feature-t-7-6ab36bc"],
    // A logical name that has the stack says it once.
    [urn("support-prod", "shop", "prod"), GIT, 0, "support-prod-ce533bc"],
  ] as const;
  for (const [from, inputs, attempt, name] of golden)
    it(`gives ${name} to ${from}, attempt ${attempt}`, () =>
      expect(derivedName(from, inputs, attempt)).to.equal(name));

  it("stay where the program writes a value in another form, and move with another value", () => {
    const before = { ...declaredBy(GIT), name: "support-03e9b70", isNameDerived: true };
    const written = (repoUrl: string) =>
      nameFor(
        before,
        declaredBy({ ...GIT, sourceConfig: { ...GIT.sourceConfig, repoUrl } }),
        urn("support"),
      );
    expect(written("https://GIT.example.com/a/").name).to.equal(before.name);
    expect(written("https://git.example.com/b").name).not.to.equal(before.name);
  });

  it("fit into 63 characters for a git source and into 21 for others", () => {
    expect(derivedName(urn("y".repeat(200)), GIT)).to.have.length(63);
    expect(derivedName(urn("y".repeat(200)), IMAGE)).to.have.length(21);
  });

  it("are the same for the resource of the native provider, and for a parent of our own kind in both front ends", () => {
    const native = (from: string) =>
      from.replaceAll(/pulumi-nodejs:dynamic\/(agentserver):/g, "$1:index:");
    for (const from of [under(), under("shop:index:Team"), under("shop:index:Team", OWN, OWN)]) {
      expect(native(from)).not.to.equal(from);
      expect(derivedName(native(from), GIT)).to.equal(derivedName(from, GIT));
    }
  });

  it("differ between siblings of one logical name under components of different types", () => {
    const parents = [[], ["shop:index:Team"], ["shop:index:Desk"], ["shop:index:Team", OWN]];
    const names = parents.map((types) => derivedName(under(...types), GIT));
    expect(new Set(names)).to.have.property("size", 4);
  });

  it("do not depend on the order of the inputs", () => {
    const { repoUrl, deploymentType } = GIT.sourceConfig;
    const turned = { sourceConfig: { deploymentType, repoUrl }, source: "git_host" };
    expect(derivedName(urn("support"), turned)).to.equal(derivedName(urn("support"), GIT));
  });

  it("stay while no immutable input changes, whatever the resource, stack or project is called", () => {
    const olds = { ...GIT, name: "kept-1234567", __nameDerived: true };
    expect(
      nameFor(declaredBy(olds), declaredBy(GIT), urn("renamed", "moved", "prod")),
    ).to.deep.equal({
      name: "kept-1234567",
      isNameDerived: true,
    });
  });

  it("change with an immutable input", () => {
    const olds = { ...GIT, name: "kept-1234567", __nameDerived: true };
    const news = { ...GIT, sourceConfig: { ...GIT.sourceConfig, deploymentType: "prod" } };
    expect(nameFor(declaredBy(olds), declaredBy(news), urn("support")).name).to.equal(
      derivedName(urn("support"), news),
    );
  });

  it("stay while an immutable input is unknown, and are unknown without one to keep", () => {
    const news = { ...GIT, sourceConfig: { ...GIT.sourceConfig, repoUrl: UNKNOWN } };
    const olds = { ...GIT, name: "kept-1234567", __nameDerived: true };
    expect(nameFor(declaredBy(olds), declaredBy(news), urn("support")).name).to.equal(
      "kept-1234567",
    );
    expect(nameFor(undefined, declaredBy(news), urn("support")).name).to.equal(Unknown);
  });

  it("give way to a given name", () =>
    expect(nameFor(undefined, declaredBy({ ...GIT, name: "mine" }), urn("support"))).to.deep.equal({
      name: "mine",
      isNameDerived: false,
    }));
});
