import { expect } from "chai";
import fc from "fast-check";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, programOf } from "../support/program";
import { describeNightly } from "../support/tiers";

const SEED = Number(process.env["PROPERTY_SEED"] ?? Date.now() % 1_000_000);
const NAMES = Array.from({ length: 20 }, (_, index) => `agent-${index}`);

/** Faults of a request: half of them only take a little longer. */
const fault = fc.oneof(
  fc.record({ action: fc.constant("delay"), delayMs: fc.nat(100) }),
  fc.constantFrom(
    { action: "status", status: 429, headers: { "Retry-After": "1" } },
    { action: "status", status: 503 },
    { action: "reset" },
    { action: "drop-before" },
    { action: "drop-after" },
  ),
);

describeNightly(`many deployments at once, with faults of PROPERTY_SEED=${SEED}`, () => {
  let test: TestPlatform;
  let stack: TestStack;

  before(async () => {
    test = await startTestPlatform();
    const declarations = NAMES.map((name) => [name, { args: gitArgs(test) }]);
    stack = await TestStack.create(
      settingsFor(test.platform),
      programOf(Object.fromEntries(declarations)),
    );
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  const live = async () => (await test.deployments()).map(({ id }) => id);
  const inState = async () => (await stack.deployments()).map(({ id }) => id);

  it("has nothing in the state that is not there after an up with faults", async () => {
    const { admin } = test.platform;
    const posts = { method: "POST", path: "/v2/deployments" };
    for (const [index, one] of fc.sample(fault, { seed: SEED, numRuns: 120 }).entries())
      admin.addFault({ match: index < 40 ? posts : { method: "GET" }, ...one });
    await stack.up({ continueOnError: true, parallel: NAMES.length });
    admin.clearFaults();
    expect(await live()).to.include.members(await inState());
  });

  it("has each of them exactly once after the next up, with one revision", async () => {
    const { ok, text } = await stack.up({ parallel: NAMES.length });
    expect(ok, text).to.equal(true);
    const ids = await live();
    expect(ids).to.have.length(NAMES.length);
    expect(await inState()).to.have.members(ids);
    for (const id of ids) expect(await test.revisions(id), id).to.have.length(1);
  });
});
