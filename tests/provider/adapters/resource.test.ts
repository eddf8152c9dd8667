import { expect } from "chai";
import { nativeRegistration } from "../../../provider/adapters/native/registration";
import { deletedFirstByDefault } from "../../../provider/adapters/resource";
import { type ResourceType, RESOURCE_TYPES } from "../../../provider/resource-types";

// A component passes its own options on as they are, given or not.
describe("the options of a resource", () => {
  const { Deployment: deployment, Listener: listener } = RESOURCE_TYPES;
  const ordered = (kind: ResourceType, options: object) => deletedFirstByDefault(kind, options);
  const native = (options: object) => nativeRegistration.options(deployment, "support", options);

  it("delete first where the name is free only then, also where undefined is passed on", () => {
    for (const options of [{}, { deleteBeforeReplace: undefined }]) {
      expect(ordered(deployment, options)).to.deep.equal({
        deleteBeforeReplace: true,
      });
      expect(ordered(listener, options)).to.equal(options);
    }
    const options = { deleteBeforeReplace: false };
    expect(ordered(deployment, options)).to.deep.equal(options);
  });

  it("keep the aliases of the program beside the one of the dynamic provider", () => {
    const own = { type: "pulumi-nodejs:dynamic/agentserver:Deployment" };
    const aliasesWith = (aliases?: { name: string }[]) => native({ aliases }).aliases;
    expect(aliasesWith()).to.deep.equal([own]);
    expect(aliasesWith([{ name: "old" }])).to.deep.equal([own, { name: "old" }]);
  });
});
