import { expect } from "chai";
import type { Secret } from "pulumi-agentserver/sdk";
import { withIgnoredChanges } from "../../../provider/deployment/declared/ignored";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { merge } from "../../../provider/deployment/service/observed";
import { patchOf } from "../../../provider/deployment/service/patch";
import { planOf } from "../../../provider/deployment/declared/plan";
import { aDeployment } from "../../support/builders";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";

describe("what ignoreChanges names", () => {
  const olds = { ...GIT_INPUTS, env: { A: "1", LOG_LEVEL: "info", "my.level": "state" } };
  const a = { name: "A", value: "1" };
  const level = { name: "LOG_LEVEL", value: "info" };
  const dotted = { name: "my.level", value: "state" };
  /** The environment that a retry sends where the service has this one. */
  const sent = (path: string, secrets: Secret[]) => {
    const there = aDeployment({ secrets });
    const seen = merge(declaredBy(olds), there);
    const news = withIgnoredChanges(
      declaredBy({ ...olds, env: { ...olds.env, A: "2" }, __ignored: [path] }),
      seen,
    );
    return patchOf(planOf(seen, news), there, true).body.secrets;
  };

  it("stays removed where another client removed it, and is not a string", () =>
    expect(sent("env.LOG_LEVEL", [a, dotted])).to.deep.equal([{ name: "A", value: "2" }, dotted]));

  it("is one key where it is quoted, whatever dots are in it", () => {
    const theirs = { name: "my.level", value: "theirs" };
    expect(sent('env["my.level"]', [a, level, theirs])).to.deep.equal([
      { name: "A", value: "2" },
      level,
      theirs,
    ]);
  });

  for (const kind of ["labels", "annotations"])
    it(`is one key of the ${kind} of a size, and the others stay the program's`, () => {
      const size = (members: object) => ({
        ...IMAGE_INPUTS,
        sourceConfig: { resourceSpec: { [kind]: members } },
      });
      const path = `sourceConfig.resourceSpec.${kind}["example.com/revision"]`;
      const news = { ...size({ "example.com/revision": "ours", team: "a" }), __ignored: [path] };
      const seen = size({ "example.com/revision": "theirs", team: "b" });
      const taken = withIgnoredChanges(declaredBy(news), declaredBy(seen));
      expect(taken["sourceConfig.resourceSpec"]).to.deep.equal({
        [kind]: { "example.com/revision": "theirs", team: "a" },
      });
    });
});
