import { expect } from "chai";
import { nameFor } from "../../../provider/deployment/name";
import { UNKNOWN } from "../../../provider/inputs/props";
import { declaredBy } from "../../../provider/deployment/declared";
import { derivedName } from "../../support/deployment";

const urn = (name: string, project = "shop", stack = "dev") =>
  `urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;
const GIT = {
  source: "git_host",
  sourceConfig: { repoUrl: "https://git.example.com/a.git", deploymentType: "dev" },
};
const IMAGE = { source: "external_container" };

describe("derived names", () => {
  // The rule is frozen: an unfinished create of an older release finds its deployment by it.
  const golden = [
    [urn("support"), GIT, 0, "support-b18e98a"],
    [urn("support"), GIT, 1, "support-e0f74d8"],
    [urn("support", "shop", "prod"), GIT, 0, "support-7cf3089"],
    [urn("support", "other"), GIT, 0, "support-a17cf0b"],
    [urn("Überall & 1"), IMAGE, 0, "d-berall-1-b0a315e"],
    [urn("1st::part"), IMAGE, 0, "d-1st-part-664c098"],
    [urn("a-very-long-logical-name"), IMAGE, 0, "a-very-long-l-2e5e1da"],
    [
      urn("x".repeat(80)),
      GIT,
      0,
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-2c8cb37",
    ],
  ] as const;
  for (const [from, inputs, attempt, name] of golden)
    it(`gives ${name} to ${from.split("::").slice(3).join("::")} of ${from.split("::").slice(0, 2).join()}, try ${attempt}`, () =>
      expect(derivedName(from, inputs, attempt)).to.equal(name));

  it("fit into 63 characters for a git source and into 21 for others", () => {
    expect(derivedName(urn("y".repeat(200)), GIT)).to.have.length(63);
    expect(derivedName(urn("y".repeat(200)), IMAGE)).to.have.length(21);
  });

  it("do not depend on the order of the inputs", () => {
    const { repoUrl, deploymentType } = GIT.sourceConfig;
    const turned = { sourceConfig: { deploymentType, repoUrl }, source: "git_host" };
    expect(derivedName(urn("support"), turned)).to.equal(derivedName(urn("support"), GIT));
  });

  it("stay while no immutable input changes, whatever the resource, stack or project is called", () => {
    const olds = { ...GIT, name: "kept-1234567", nameDerived: true };
    expect(
      nameFor(declaredBy(olds), declaredBy(GIT), urn("renamed", "moved", "prod")),
    ).to.deep.equal({
      name: "kept-1234567",
      derived: true,
    });
  });

  it("change with an immutable input", () => {
    const olds = { ...GIT, name: "kept-1234567", nameDerived: true };
    const news = { ...GIT, sourceConfig: { ...GIT.sourceConfig, deploymentType: "prod" } };
    expect(nameFor(declaredBy(olds), declaredBy(news), urn("support")).name).to.equal(
      derivedName(urn("support"), news),
    );
  });

  it("stay while an immutable input is unknown, and are unknown without one to keep", () => {
    const news = { ...GIT, sourceConfig: { ...GIT.sourceConfig, repoUrl: UNKNOWN } };
    const olds = { ...GIT, name: "kept-1234567", nameDerived: true };
    expect(nameFor(declaredBy(olds), declaredBy(news), urn("support")).name).to.equal(
      "kept-1234567",
    );
    expect(nameFor(undefined, declaredBy(news), urn("support")).name).to.equal(UNKNOWN);
  });

  it("give way to a given name", () =>
    expect(nameFor(undefined, declaredBy({ ...GIT, name: "mine" }), urn("support"))).to.deep.equal({
      name: "mine",
      derived: false,
    }));
});
