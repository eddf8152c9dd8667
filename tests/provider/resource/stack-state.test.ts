import { expect } from "chai";
import { sharedReader } from "../../../provider/resource/shared-reader";
import { parseStackState, type StackState } from "../../../provider/resource/stack-state";
import { UNKNOWN } from "../../../provider/arguments/props";
import { URN } from "../../support/inputs";

const SECRET = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:nonce:text",
};

describe("the state of a stack", () => {
  it("has the creates that have not ended, and nothing that is encrypted", () => {
    const inputs = { env: { A: "1" }, secrets: SECRET, list: [SECRET, { key: SECRET }] };
    const pending_operations = [
      { type: "creating", resource: { urn: URN, inputs } },
      { type: "updating", resource: { urn: URN, inputs } },
    ];
    const { resources, creating } = parseStackState(
      JSON.stringify({ deployment: { resources: null, pending_operations } }),
    );
    expect(resources).to.deep.equal([]);
    expect(creating).to.deep.equal([
      {
        urn: URN,
        inputs: { env: { A: "1" }, secrets: UNKNOWN, list: [UNKNOWN, { key: UNKNOWN }] },
      },
    ]);
  });

  it("is read once for all that ask at the same time, and again for those that ask while it is read", async () => {
    const reads: ((state: StackState) => void)[] = [];
    const read = sharedReader(() => new Promise((resolve) => reads.push(resolve)));
    const state = (): StackState => ({ resources: [], creating: [] });
    const [first, same] = [read(URN), read(URN)];
    await Promise.resolve();
    const [later, latest] = [read(URN), read(URN)];
    expect(reads).to.have.length(1);
    const one = state();
    reads[0]?.(one);
    expect([await first, await same]).to.deep.equal([one, one]);
    expect(reads).to.have.length(2);
    const other = state();
    reads[1]?.(other);
    expect(await later).to.equal(other);
    expect(await latest).to.equal(other);
  });
});
