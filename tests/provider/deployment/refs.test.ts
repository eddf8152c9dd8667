import { expect } from "chai";
import { checkInputs } from "../../../provider/deployment/check";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { isBranch } from "../../../provider/deployment/service/revision-source";
import { GIT_INPUTS, URN } from "../../support/inputs";

describe("a ref by its form", () => {
  for (const [repoRef, follows, problem] of [
    ["main", true, ""],
    ["feature/one", true, ""],
    ["x/refs/tags/v1", true, ""],
    ["refs/tags", true, ""],
    ["x/refs/heads/main", true, ""],
    ["refs/heads", true, ""],
    ["refs/heads/main", true, "is the path of a branch; write 'main'"],
    ["refs/tags/v1", false, "can't be true while repoRef is the tag 'refs/tags/v1'"],
    ["refs/tags/refs/heads/main", false, "can't be true while repoRef is the tag"],
    ["a".repeat(40), true, "is a commit"],
    ["a".repeat(39), true, ""],
    ["a".repeat(41), true, ""],
  ] as const)
    it(`${repoRef}: ${follows ? "a branch" : "a tag"}, ${problem || "and no problem with buildOnPush"}`, () => {
      const inputs = {
        ...GIT_INPUTS,
        sourceConfig: { ...GIT_INPUTS.sourceConfig, buildOnPush: true },
        sourceRevisionConfig: { ...GIT_INPUTS.sourceRevisionConfig, repoRef },
      };
      const [found, ...others] = checkInputs({}, inputs, URN).problems;
      expect(others).to.deep.equal([]);
      expect(found?.reason ?? "").to.contain(problem);
      expect(found === undefined).to.equal(problem === "");
      expect(isBranch(declaredBy(inputs))).to.equal(follows);
    });
});
