import { expect } from "chai";
import {
  findRecorded,
  findSettled,
  isLaterCreate,
  readSettled,
} from "../../../provider/resource/find";
import { controlPlaneOf } from "../../../provider/resource/operation";
import { Conflict, NotFound, NotOfferedError, Unprocessable } from "../../../sdk";
import { isGone } from "../../../sdk/errors";
import { aClock } from "../../support/builders";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const CREATED_AT = "2026-01-01T00:00:00.000Z";
const URL = "https://control.example.com";
const said = { reason: "no", secrets: [], detail: "no" };
const failure = { action: "get deployment", method: "GET", url: URL, ...said };
const gone = () => Promise.reject(new NotFound({ ...failure, status: 404 }));

describe("what a state records, at the service", () => {
  /** Looks with these answers in turn, an error being a 404. */
  const looked = async (look: typeof findSettled<string>, ...answers: (string | undefined)[]) => {
    const clock = aClock();
    const found = await look(clock, async () => answers.shift() ?? gone()).catch(String);
    return [found, clock.pauses];
  };

  it("is asked for by one client for the same settings, and by another for another workspace with the same key", () => {
    const { settings, ...context } = anOperation(URL);
    const clientOf = (workspaceId: string) => controlPlaneOf(context, { ...settings, workspaceId });
    expect(clientOf("a")).to.equal(clientOf("a")).and.not.equal(clientOf("b"));
  });

  it("is read once where it is there, and once more before a 404 counts", async () => {
    expect(await looked(findSettled, "it")).to.deep.equal(["it", []]);
    expect(await looked(findSettled, undefined, "it")).to.deep.equal(["it", [3_000]]);
    const expected = [undefined, [3_000]];
    expect(await looked(findSettled, undefined, undefined, "it")).to.deep.equal(expected);
  });

  it("is an error where it must be there, once a second look has a 404 too", async () => {
    expect(await looked(readSettled, "it")).to.deep.equal(["it", []]);
    expect(await looked(readSettled, undefined, "it")).to.deep.equal(["it", [3_000]]);
    const [failed, pauses] = await looked(readSettled, undefined, undefined, "it");
    expect(failed).to.match(/^NotFound/);
    expect(pauses).to.deep.equal([3_000]);
  });

  it("passes on every other error", async () => {
    const refused = new Conflict({ ...failure, status: 409 });
    for (const look of [findSettled, readSettled])
      expect(await rejection(look(aClock(), () => Promise.reject(refused)))).to.equal(refused);
  });

  it("is gone where its URL has a 404 of the service or its framework, and not of a gateway, nor where the method is refused", () => {
    const framework = { ...failure, detail: "Not Found" };
    expect(isGone(new NotFound({ ...failure, status: 404 }))).to.equal(true);
    expect(isGone(new NotOfferedError({ ...framework, status: 404 }))).to.equal(true);
    for (const detail of ["", "default backend - 404", "404 page not found"])
      expect(isGone(new NotOfferedError({ ...failure, detail, status: 404 }))).to.equal(false);
    expect(isGone(new NotOfferedError({ ...failure, status: 405 }))).to.equal(false);
    expect(isGone(new Conflict({ ...failure, status: 409 }))).to.equal(false);
  });

  it("is another one where it was created at another time, but for what servers round", () => {
    const later = (createdAt: string) => isLaterCreate({ createdAt: CREATED_AT }, createdAt);
    expect(later("2026-01-01T00:00:00.001Z")).to.equal(false);
    expect(later("2026-01-01T00:00:00.002Z")).to.equal(true);
    expect(later("2025-12-31T23:59:59.998Z")).to.equal(true);
  });

  it("is gone only where the settings name the workspace and the base URL of the state", async () => {
    const kind = { noun: "thing", get: gone, tenantOf: () => "w" };
    const outcome = (tenantId: string, baseUrl: string) =>
      findRecorded(anOperation(URL), { tenantId, baseUrl }, kind).catch(String);
    expect(await outcome("W", URL)).to.equal(undefined);
    for (const [tenantId, baseUrl] of [
      ["other", URL],
      ["w", "https://other.example.com"],
    ] as const)
      expect(await outcome(tenantId, baseUrl)).to.contain(
        `the state records it at ${baseUrl} in workspace ${tenantId}, but the settings name ${URL} and workspace w; nothing was changed`,
      );
  });

  it("is not taken for an id where that is a name, and the error says how an id is found", async () => {
    const refused = new Unprocessable({ ...failure, status: 422, problems: [] });
    const kind = { noun: "deployment", get: () => Promise.reject(refused), tenantOf: () => "w" };
    const operation = anOperation("https://control.example.com");
    const find = (state: object, more = {}) =>
      rejection(findRecorded(operation, { ...state }, { ...kind, ...more }));
    const lookUp = "list them";
    const { message } = await find({}, { lookUp });
    expect(message).to.match(/: an id is a UUID, and this is none; list them$/);
    expect(await find({ tenantId: "w" }, { lookUp })).to.equal(refused);
    expect(await find({})).to.equal(refused);
  });
});
