import { expect } from "chai";
import { ownId } from "../../../provider/agent-server/own-id";
import { contextOf } from "../../support/lifecycle";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const DYNAMIC = "pulumi-nodejs:dynamic/agentserver:";
const NATIVE = "agentserver:index:";

describe("the ids of a resource's thread", () => {
  const idOf = (types: string, attempt: number, name = "chat") =>
    ownId({ ...contextOf(NOWHERE), urn: `urn:pulumi:dev::shop::${types}::${name}` }, attempt);

  // The rule is frozen: an unfinished create finds its thread by it, after an upgrade too.
  const golden = [
    ["", 0, "chat", "60aaf649-46e8-8b2d-ab42-02a8edc03784"],
    ["", 1, "chat", "bf9c71e8-0d4c-8dea-ab8c-63c950e9c2e2"],
    ["shop:index:Team$", 0, "chat", "99437c8f-4473-8977-ab43-e2f0f8bfd1d1"],
    ["shop:index:Team$<ours>Deployment$", 0, "chat", "e1af35c6-9a2f-88ee-a36f-614652b8efa9"],
    ["", 0, "a::b", "f4c306ae-a1cc-8fd6-a930-7a07989239ef"],
  ] as const;
  for (const [parents, attempt, name, id] of golden)
    for (const ours of [DYNAMIC, NATIVE])
      it(`are ${id} for ${parents.replace("<ours>", ours)}${ours}Thread ${name}, attempt ${attempt}`, () =>
        expect(idOf(`${parents.replace("<ours>", ours)}${ours}Thread`, attempt, name)).to.equal(
          id,
        ));
});
