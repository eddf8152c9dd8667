import { expect } from "chai";
import { identityOf } from "../../shared/urn";

describe("a URN", () => {
  const project = "shop";
  const stack = "dev";
  const identities = {
    "Deployment::chat": { project, stack, parentTypes: [], logicalName: "chat" },
    "shop:index:Region$shop:index:Team$Deployment::eu::chat": {
      project,
      stack,
      parentTypes: ["shop:index:Region", "shop:index:Team"],
      logicalName: "eu::chat",
    },
    "agentserver:Deployment$Thread::chat": {
      project,
      stack,
      parentTypes: ["agentserver:Deployment"],
      logicalName: "chat",
    },
  };
  for (const [rest, identity] of Object.entries(identities))
    it(`identifies ${rest} by project, stack, parents' types and logical name`, () =>
      expect(identityOf(`urn:pulumi:dev::shop::${rest}`)).to.deep.equal(identity));

  it("identifies a child of our own kind alike in both front ends", () => {
    const child = (token: string) =>
      identityOf(`urn:pulumi:dev::shop::shop:x:Team$${token}Deployment$${token}Thread::chat`);
    expect(child("pulumi-nodejs:dynamic/agentserver:"))
      .to.deep.equal(child("agentserver:index:"))
      .and.to.have.deep.property("parentTypes", ["shop:x:Team", "agentserver:index:Deployment"]);
  });
});
