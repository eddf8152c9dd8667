import { expect } from "chai";
import { UNKNOWN, type Props } from "../../../provider/arguments/props";
import {
  type Ownership,
  ownershipOf,
  isOwnBy,
  mayAdopt,
} from "../../../provider/resource/ownership";
import { newProcessCache } from "../../../provider/resource/process-cache";
import type { Recorded, StackState } from "../../../provider/resource/stack-state";
import { placeholderId } from "../../../provider/resource/placeholder";
import { URN } from "../../support/inputs";

const OTHER = URN.replace("::support", "::other");
const LISTENER = URN.replace("Deployment::", "Listener::");
const [OURS, THEIRS] = [{ name: "support" }, { name: "other" }];

describe("what the state of a stack says of a thing that a create finds", () => {
  const ownership = (
    state: Partial<StackState>,
    processCache = newProcessCache(),
    inputs: Props = OURS,
  ) =>
    ownershipOf(
      {
        urn: URN,
        processCache,
        readState: async () => ({ resources: [], creating: [], ...state }),
      },
      "id-1",
      inputs,
    );
  const unreadable = (processCache = newProcessCache()) =>
    ownershipOf(
      { urn: URN, processCache, readState: () => Promise.reject(new Error("no pulumi")) },
      "id-1",
      OURS,
    );
  const running: Recorded = { urn: URN, inputs: OURS, provider: "p::1" };
  const retrying = (id: string) => {
    const processCache = newProcessCache();
    processCache.retryRecords.set(URN, {
      verb: "create",
      inputs: OURS,
      id,
      outs: THEIRS,
      hasFailed: true,
    });
    return processCache;
  };
  const NOTHING: Ownership = { status: "unrecorded" };
  const UNREAD: Ownership = { status: "unreadable", reason: "no pulumi" };
  const interrupted = (isPending: boolean, ...inputs: Props[]): Ownership => ({
    status: "interrupted",
    inputs,
    isPending,
  });

  it("is held by the resource of the same kind that has its id, wherever that resource is served", async () => {
    const holder = { urn: OTHER, id: "id-1", provider: "p::1" };
    const creating = [running];
    expect(await ownership({ resources: [holder], creating })).to.deep.equal({
      status: "recorded",
      by: OTHER,
      isServedHere: true,
    });
    const elsewhere = { ...holder, provider: "p::2" };
    expect(await ownership({ resources: [elsewhere], creating })).to.deep.include({
      isServedHere: false,
    });
    const twice = [running, { ...running, provider: "p::2" }];
    expect(await ownership({ resources: [holder], creating: twice })).to.deep.include({
      isServedHere: true,
    });
  });

  const holdsNothing: [string, Recorded][] = [
    ["of another id", { urn: OTHER, id: "id-2" }],
    ["of another kind", { urn: LISTENER, id: "id-1" }],
    ["that only reads it", { urn: OTHER, id: "id-1", external: true }],
    ["that was deleted to be replaced", { urn: OTHER, id: "id-1", pendingReplacement: true }],
  ];
  for (const [what, resource] of holdsNothing)
    it(`is nothing beside a resource ${what}`, async () =>
      expect(await ownership({ resources: [resource], creating: [running] })).to.deep.equal(
        NOTHING,
      ));

  it("is nothing beside the creates of others, and that which runs", async () => {
    expect(await ownership({ creating: [{ urn: OTHER, inputs: OURS }, running] })).to.deep.equal(
      NOTHING,
    );
    expect(await ownership({ creating: [{ ...running, inputs: THEIRS }] })).to.deep.equal(NOTHING);
  });

  it("is the interrupted creates of the resource, but not the one that runs, wherever it stands", async () => {
    const left = { ...running, inputs: THEIRS };
    for (const creating of [
      [left, running],
      [running, left],
    ])
      expect(await ownership({ creating })).to.deep.equal(interrupted(true, THEIRS));
    expect(await ownership({ creating: [running, { ...running, inputs: null }] })).to.deep.equal(
      interrupted(true, {}),
    );
  });

  it("knows the one that runs by what is known of its inputs, and by what the program declares alone", async () => {
    const creating = [
      { ...running, inputs: THEIRS },
      { ...running, inputs: { ...OURS, secret: UNKNOWN, __urn: "x" } },
    ];
    const inputs = { ...OURS, secret: "value" };
    expect(await ownership({ creating }, newProcessCache(), inputs)).to.deep.equal(
      interrupted(true, THEIRS),
    );
  });

  it("is in a replacement only a create that replaces the same", async () => {
    const replacing = (created: string, inputs: Props) => ({ ...running, created, inputs });
    const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    const creating = [replacing(second, OURS), replacing(first, THEIRS)];
    expect(await ownership({ creating })).to.deep.equal(NOTHING);
    const same = [replacing(second, OURS), replacing(second, THEIRS)];
    expect(await ownership({ creating: same })).to.deep.equal(interrupted(true, THEIRS));
  });

  it("is the create of which the state only has a provisional id, and is not pending then", async () => {
    const resources = [
      { urn: URN, id: placeholderId("support"), inputs: THEIRS },
      { urn: OTHER, id: placeholderId("support"), inputs: OURS },
      { urn: URN, id: "id-2", inputs: OURS },
      { urn: URN },
    ];
    expect(await ownership({ resources })).to.deep.equal(interrupted(false, THEIRS));
  });

  it("is the attempt that this process made before, also where the state can't be read", async () => {
    const indeterminate = retrying(placeholderId("support"));
    expect(await ownership({}, indeterminate)).to.deep.equal(interrupted(false, THEIRS));
    expect(await unreadable(indeterminate)).to.deep.equal(interrupted(false, THEIRS));
    expect(await ownership({}, retrying("id-2"))).to.deep.equal(NOTHING);
    for (const processCache of [newProcessCache(), retrying("id-2")])
      expect(await unreadable(processCache)).to.deep.equal(UNREAD);
  });

  it("makes a thing the resource's own where one interrupted create would have made it", () => {
    const isTheirs = ({ name }: Props) => name === THEIRS.name;
    expect(isOwnBy(interrupted(true, OURS, THEIRS), isTheirs)).to.equal(true);
    expect(isOwnBy(interrupted(true, OURS), isTheirs)).to.equal(false);
    expect(isOwnBy(UNREAD, () => true)).to.equal(false);
  });

  it("lets the option adopt what no resource of the state has, and no replacement may be about to delete", () => {
    for (const state of [NOTHING, interrupted(true, OURS), UNREAD])
      expect(mayAdopt(state, "deletes first"), state.status).to.equal(true);
    for (const state of [NOTHING, interrupted(true, OURS)])
      expect(mayAdopt(state, "creates first"), state.status).to.equal(true);
    for (const order of ["creates first", "unknown"] as const)
      expect(mayAdopt(UNREAD, order), order).to.equal(false);
    const recorded = { status: "recorded", by: OTHER, isServedHere: true } as const;
    expect(mayAdopt(recorded, "deletes first")).to.equal(false);
  });
});
