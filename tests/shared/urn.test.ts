import { expect } from "chai";
import { identityOf } from "../../shared/urn";

describe("a URN", () => {
  for (const [rest, parentTypes, logicalName] of [
    ["Deployment::chat", [], "chat"],
    [
      "shop:index:Region$shop:index:Team$Deployment::eu::chat",
      ["shop:index:Region", "shop:index:Team"],
      "eu::chat",
    ],
    ["agentserver:Deployment$Thread::chat", ["agentserver:Deployment"], "chat"],
  ] as const)
    it(`identifies ${rest} by project, stack, parents' types and logical name`, () => {
      const identity = { project: "shop", stack: "dev", parentTypes, logicalName };
      expect(identityOf(`urn:pulumi:dev::shop::${rest}`)).to.deep.equal(identity);
    });

  it("identifies a child of our own kind alike in both front ends", () => {
    const child = (token: string) =>
      identityOf(`urn:pulumi:dev::shop::shop:x:Team$${token}Deployment$${token}Thread::chat`);
    expect(child("pulumi-nodejs:dynamic/agentserver:"))
      .to.deep.equal(child("agentserver:index:"))
      .and.to.have.deep.property("parentTypes", ["shop:x:Team", "agentserver:index:Deployment"]);
  });
});
