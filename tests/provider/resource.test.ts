import { expect } from "chai";
import { deleteBeforeReplaceByDefault } from "../../provider/resource";

describe("the options of a resource that is deleted first", () => {
  const own = { additionalSecretOutputs: ["secrets"] };
  // A component passes its own options on as they are, given or not.
  const given = (options: object) => deleteBeforeReplaceByDefault(own, options);

  it("delete first where nothing else is said, also where undefined is passed on", () => {
    for (const options of [{}, { deleteBeforeReplace: undefined }])
      expect(given(options).deleteBeforeReplace).to.equal(true);
    expect(deleteBeforeReplaceByDefault(own).deleteBeforeReplace).to.equal(true);
    expect(given({ deleteBeforeReplace: false }).deleteBeforeReplace).to.equal(false);
  });

  it("keep what is secret, also where undefined is passed on or more is secret", () => {
    const secretsWith = (names?: string[]) =>
      given({ additionalSecretOutputs: names }).additionalSecretOutputs;
    expect(secretsWith()).to.deep.equal(["secrets"]);
    expect(secretsWith(["url"])).to.deep.equal(["secrets", "url"]);
  });
});
