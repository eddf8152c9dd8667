import { expect } from "chai";
import { nameFor } from "../../../provider/deployment/declared/name";
import { Unknown } from "../../../provider/arguments/decode";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
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

const LISTENER = "pulumi-nodejs:dynamic/agentserver:Listener";
const native = (from: string) =>
  from.replaceAll(/pulumi-nodejs:dynamic\/(agentserver):/g, "$1:index:");

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
    [under(OWN), GIT, 0, "support-dev-c12ce74"],
    [under("shop:index:Team", LISTENER), GIT, 0, "support-dev-9f1adab"],
    // The same in both front ends.
    [native(under()), GIT, 0, "support-dev-03e9b70"],
    [native(under("shop:index:Team", LISTENER)), GIT, 0, "support-dev-9f1adab"],
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

  it("do not depend on the order of the inputs", () => {
    const { repoUrl, deploymentType } = GIT.sourceConfig;
    const turned = { sourceConfig: { deploymentType, repoUrl }, source: "git_host" };
    expect(derivedName(urn("support"), turned)).to.equal(derivedName(urn("support"), GIT));
  });

  it("stay while no immutable input changes but in its form, whatever the resource is called now", () => {
    const named = (olds: Props, members: object, from = urn("support")) => {
      const news = { ...GIT, sourceConfig: { ...GIT.sourceConfig, ...members } };
      return nameFor(declaredBy(olds), declaredBy(news), from);
    };
    const kept = { name: "kept-1234567", isNameDerived: true };
    const olds = { ...GIT, name: kept.name, __nameDerived: true };
    expect(named(olds, {}, urn("renamed", "moved", "prod"))).to.deep.equal(kept);
    expect(named(olds, { repoUrl: "https://GIT.example.com/a/" })).to.deep.equal(kept);
    expect(named(olds, { repoUrl: UNKNOWN })).to.deep.equal(kept);
    expect(named(GIT, { repoUrl: UNKNOWN }).name).to.equal(Unknown);
    const prod = { ...GIT, sourceConfig: { ...GIT.sourceConfig, deploymentType: "prod" } };
    expect(named(olds, prod.sourceConfig).name).to.equal(derivedName(urn("support"), prod));
  });

  it("give way to a given name", () =>
    expect(nameFor(undefined, declaredBy({ ...GIT, name: "mine" }), urn("support"))).to.deep.equal({
      name: "mine",
      isNameDerived: false,
    }));
});
