import { RunError, runtime } from "@pulumi/pulumi";
import { expect } from "chai";
import { Thread } from "pulumi-agentserver";
import { nativeRegistration } from "../../../provider/adapters/native/registration";
import { dynamicRegistration } from "../../../provider/program/dynamic-registration";
import { deletedFirstByDefault } from "../../../provider/program/resource";
import { type ResourceType, RESOURCE_TYPES } from "../../../provider/resource-types";

const { Deployment: deployment, Listener: listener } = RESOURCE_TYPES;

// A component passes its own options on as they are, given or not.
describe("the options of a resource", () => {
  const ordered = (kind: ResourceType, options: object) => deletedFirstByDefault(kind, options);
  const native = (options: object) => nativeRegistration.options(deployment, "support", options);

  it("delete first where the name is free only then, also where undefined is passed on", () => {
    for (const options of [{}, { deleteBeforeReplace: undefined }]) {
      expect(ordered(deployment, options)).to.deep.equal({ deleteBeforeReplace: true });
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

  it("refuse an import through the dynamic provider, with what to do instead", () => {
    expect(native({ import: "1" })).to.include({ import: "1" });
    const options = (kind: ResourceType) =>
      dynamicRegistration.options(kind, "support", { import: "1" });
    expect(() => options(deployment)).to.throw(
      "Deployment 'support': the option import does not work with dynamic resources; use Deployment of pulumi-agentserver/native, set its name and adoptExisting: true to adopt the deployment, or read it with Deployment.get",
    );
    expect(() => options(RESOURCE_TYPES.Thread)).to.throw(
      "use Thread of pulumi-agentserver/native, read it with Thread.get",
    );
  });
});

describe("a resource", () => {
  afterEach(() => {
    runtime.setAllConfig({});
    runtime.resetOptions("project", "stack", -1, "", "", false, "");
  });

  it("is not declared where no engine is connected, which would take it for removed", () => {
    runtime.resetOptions("shop", "test", -1, "", "", false, "");
    expect(() => new Thread("fixture", { deploymentUrl: "https://a.example.com" })).to.throw(
      "Thread 'fixture' is created where no Pulumi engine is connected",
    );
  });

  it("is not declared while the configuration has a secret setting in clear, but under mocks", async () => {
    const config = { "agentserver:apiKey": "key", "agentserver:headers": "{}", "shop:apiKey": "k" };
    const options = () => dynamicRegistration.options(listener, "cluster", {});
    const words = (...names: string[]) => names.map((name) => `agentserver:${name}`).join(" and ");
    runtime.setAllConfig(config);
    expect(options).to.throw(`${words("apiKey", "headers")} in the stack's configuration must be`);
    runtime.setAllConfig(config, ["agentserver:headers"]);
    expect(options).to.throw(RunError, `${words("apiKey")} in the stack's configuration must be`);
    runtime.setAllConfig(config, ["agentserver:headers", "agentserver:apiKey"]);
    expect(options()).to.deep.equal({});
    runtime.setAllConfig(config);
    await runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    expect(options()).to.deep.equal({});
  });
});
