import { expect } from "chai";
import { findRecorded, findSettled, isGone, isLaterCreate } from "../../../provider/kind/find";
import { Conflict, NotFound, NotOfferedError, Unprocessable } from "../../../sdk";
import { aClock } from "../../support/builders";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const CREATED_AT = "2026-01-01T00:00:00.000Z";
const failure = {
  action: "get deployment",
  method: "GET",
  url: "https://control.example.com",
  reason: "no",
  secrets: [],
  detail: "no",
};
const gone = () => Promise.reject(new NotFound({ ...failure, status: 404 }));

describe("what a state records, at the service", () => {
  /** Reads with these answers in turn, so long after the create by the server's clock. */
  const settled = async (ageMs: number, ...answers: (string | undefined)[]) => {
    const clock = aClock();
    const found = await findSettled(
      { serverTime: () => new Date(Date.parse(CREATED_AT) + ageMs) },
      clock,
      { createdAt: CREATED_AT },
      async () => answers.shift() ?? gone(),
    );
    return [found, clock.pauses];
  };

  it("is read once where it is there, or was created long ago", async () => {
    expect(await settled(0, "it")).to.deep.equal(["it", []]);
    expect(await settled(3_000, undefined, "it")).to.deep.equal([undefined, []]);
  });

  it("is read once more where a replica may not show it yet, and not later than every one must", async () => {
    expect(await settled(1_000, undefined, "it")).to.deep.equal(["it", [2_000]]);
    expect(await settled(2_999, undefined, undefined)).to.deep.equal([undefined, [1]]);
    expect(await settled(-60_000, undefined, "it"), "a clock of minutes ago").to.deep.equal([
      "it",
      [3_000],
    ]);
  });

  it("is not looked for where the time of either is unknown", async () => {
    const clock = aClock();
    const server = { serverTime: () => undefined };
    expect(await findSettled(server, clock, { createdAt: CREATED_AT }, gone)).to.equal(undefined);
    const known = { serverTime: () => new Date(CREATED_AT) };
    expect(await findSettled(known, clock, {}, gone)).to.equal(undefined);
    expect(clock.pauses).to.be.empty;
  });

  it("passes on every other error", async () => {
    const refused = new Conflict({ ...failure, status: 409 });
    const find = findSettled({ serverTime: () => undefined }, aClock(), {}, () =>
      Promise.reject(refused),
    );
    expect(await rejection(find)).to.equal(refused);
  });

  it("is gone where its URL has a 404, whoever answers it, and not where the method is refused", () => {
    expect(isGone(new NotFound({ ...failure, status: 404 }))).to.equal(true);
    expect(isGone(new NotOfferedError({ ...failure, status: 404 }))).to.equal(true);
    expect(isGone(new NotOfferedError({ ...failure, status: 405 }))).to.equal(false);
    expect(isGone(new Conflict({ ...failure, status: 409 }))).to.equal(false);
  });

  it("is another one where it was created at another time, but for what servers round", () => {
    const later = (createdAt: string) => isLaterCreate({ createdAt: CREATED_AT }, createdAt);
    expect(later("2026-01-01T00:00:00.001Z")).to.equal(false);
    expect(later("2026-01-01T00:00:00.002Z")).to.equal(true);
    expect(later("2025-12-31T23:59:59.998Z")).to.equal(true);
  });

  it("is not taken for an id where that is a name, and the error says how an id is found", async () => {
    const refused = new Unprocessable({ ...failure, status: 422, problems: [] });
    const find = (state: object, lookUp?: string) =>
      rejection(
        findRecorded(
          anOperation("https://control.example.com"),
          { ...state },
          {
            noun: "deployment",
            get: () => Promise.reject(refused),
            tenantOf: () => "w",
            ...(lookUp !== undefined && { lookUp }),
          },
        ),
      );
    const { message } = await find({}, "list them");
    expect(message).to.match(/: an id is a UUID, and this is none; list them$/);
    expect(await find({ tenantId: "w" }, "list them")).to.equal(refused);
    expect(await find({})).to.equal(refused);
  });
});
