import { expect } from "chai";
import { UNKNOWN, type Props } from "../../../provider/arguments/props";
import {
  type Ownership,
  ownershipOf,
  isOwnBy,
  mayAdopt,
  refusalOf,
} from "../../../provider/resource/ownership";
import { newProcessCache } from "../../../provider/resource/process-cache";
import type { Recorded, StackState } from "../../../provider/resource/stack-state";
import { placeholderId } from "../../../provider/resource/placeholder";
import { URN } from "../../support/inputs";

const OTHER = URN.replace("::support", "::other");
const LISTENER = URN.replace("Deployment::", "Listener::");
const [OURS, THEIRS] = [{ name: "support" }, { name: "other" }];

describe("what the state of a stack says of a thing that a create finds", () => {
  const reading = (
    state: Partial<StackState> | Error,
    cache = newProcessCache(),
    inputs: Props = OURS,
  ) => {
    const readState = async () => {
      if (state instanceof Error) throw state;
      return { resources: [], creating: [], ...state };
    };
    return ownershipOf({ urn: URN, processCache: cache, readState }, "id-1", inputs);
  };
  const running: Recorded = { urn: URN, inputs: OURS, provider: "p::1" };
  const left: Recorded = { ...running, inputs: THEIRS };
  const retrying = (id: string) => {
    const cache = newProcessCache();
    const record = { verb: "create", inputs: OURS, id, outs: THEIRS, hasFailed: true } as const;
    cache.retryRecords.set(URN, record);
    return cache;
  };
  const NOTHING: Ownership = { status: "unrecorded" };
  const UNREADABLE: Ownership = { status: "unreadable", reason: "no pulumi" };
  const PENDING: Ownership = { status: "interrupted", inputs: [THEIRS], isPending: true };
  const PROVISIONAL: Ownership = { ...PENDING, isPending: false };
  const AWAY = new Error("no pulumi");

  it("is held by the resource of the same kind that has its id, wherever that resource is served", async () => {
    const holder = { urn: OTHER, id: "id-1", provider: "p::1" };
    for (const [resource, creating, isServedHere] of [
      [holder, [running], true],
      [{ ...holder, provider: "p::2" }, [running], false],
      [holder, [running, { ...running, provider: "p::2" }], true],
    ] as const)
      expect(await reading({ resources: [resource], creating: [...creating] })).to.deep.equal({
        status: "recorded",
        by: OTHER,
        isServedHere,
      });
    const cache = newProcessCache();
    cache.owners.add("id-1", URN);
    const aliased = await reading({ resources: [holder], creating: [running] }, cache);
    expect(aliased).to.include({ by: URN });
  });

  const DELETED = { urn: OTHER, id: "id-1", pendingReplacement: true };
  const holdsNothing: [string, Partial<StackState>][] = [
    ["a resource of another id", { resources: [{ urn: OTHER, id: "id-2" }] }],
    ["one of another kind", { resources: [{ urn: LISTENER, id: "id-1" }] }],
    ["one that only reads it", { resources: [{ urn: OTHER, id: "id-1", external: true }] }],
    ["one that was deleted to be replaced", { resources: [DELETED] }],
    ["the create of another", { creating: [{ urn: OTHER, inputs: OURS }, running] }],
    ["the create that runs, whatever is recorded of it", { creating: [left] }],
  ];
  for (const [what, state] of holdsNothing)
    it(`is nothing beside ${what}`, async () =>
      expect(await reading({ creating: [running], ...state })).to.deep.equal(NOTHING));

  it("is the interrupted creates of the resource, but not the one that runs, wherever it stands", async () => {
    for (const [creating, found] of [
      [[left, running], PENDING],
      [[running, left], PENDING],
      [[running, { ...running, inputs: null }], { ...PENDING, inputs: [{}] }],
    ] as const)
      expect(await reading({ creating: [...creating] })).to.deep.equal(found);
  });

  it("knows the one that runs by what is known of its inputs, and by what the program declares alone", async () => {
    const known = { ...running, inputs: { ...OURS, secret: UNKNOWN, __urn: "x" } };
    const inputs = { ...OURS, secret: "value" };
    const found = await reading({ creating: [left, known] }, newProcessCache(), inputs);
    expect(found).to.deep.equal(PENDING);
  });

  it("is in a replacement only a create that replaces the same", async () => {
    const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    for (const [created, found] of [
      [first, NOTHING],
      [second, PENDING],
    ] as const) {
      const creating = [
        { ...running, created: second },
        { ...left, created },
      ];
      expect(await reading({ creating })).to.deep.equal(found);
    }
  });

  it("is the create of which the state only has a provisional id, and is not pending then", async () => {
    const id = placeholderId("support");
    const resources = [
      { urn: URN, id, inputs: THEIRS },
      { urn: OTHER, id, inputs: OURS },
      { urn: URN, id: "id-2", inputs: OURS },
      { urn: URN },
    ];
    expect(await reading({ resources })).to.deep.equal(PROVISIONAL);
  });

  it("is the attempt that this process made before, also where the state can't be read", async () => {
    for (const [state, cache, found] of [
      [{}, retrying(placeholderId("support")), PROVISIONAL],
      [AWAY, retrying(placeholderId("support")), PROVISIONAL],
      [{}, retrying("id-2"), NOTHING],
      [AWAY, retrying("id-2"), UNREADABLE],
      [AWAY, newProcessCache(), UNREADABLE],
    ] as const)
      expect(await reading(state, cache)).to.deep.equal(found);
  });

  it("makes a thing the resource's own where one interrupted create would have made it", () => {
    const isTheirs = ({ name }: Props) => name === THEIRS.name;
    expect(isOwnBy({ ...PENDING, inputs: [OURS, THEIRS] }, isTheirs)).to.equal(true);
    expect(isOwnBy({ ...PENDING, inputs: [OURS] }, isTheirs)).to.equal(false);
    expect(isOwnBy(UNREADABLE, () => true)).to.equal(false);
  });

  it("lets the option adopt what no resource of the state has, and no replacement may be about to delete", () => {
    for (const state of [NOTHING, PENDING, UNREADABLE])
      expect(mayAdopt(state, "deletes first"), state.status).to.equal(true);
    for (const state of [NOTHING, PENDING])
      expect(mayAdopt(state, "creates first"), state.status).to.equal(true);
    for (const order of ["creates first", "unknown"] as const)
      expect(mayAdopt(UNREADABLE, order), order).to.equal(false);
    const recorded = { status: "recorded", by: OTHER, isServedHere: true } as const;
    expect(mayAdopt(recorded, "deletes first")).to.equal(false);
  });

  it("is imported by a command in which a shell obeys nothing of the resource's name", () => {
    const urn = URN.replace("::support", "::it's one");
    const conflict = {
      id: "id-1",
      ownership: NOTHING,
      inputs: OURS,
      differences: [],
      adoption: [],
    };
    expect(refusalOf({ urn, canImport: true }, { ...conflict, otherwise: "" })).to.contain(
      String.raw`Deployment 'it'\''s one' id-1` + "`",
    );
  });
});
