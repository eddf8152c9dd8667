import { expect } from "chai";
import { ControlPlane, WaitEnded } from "pulumi-agentserver/sdk";
import type { RevisionFilters } from "../../sdk/revisions";
import { aClock, aRevision } from "../support/builders";
import { always, json, useServers } from "../support/http";
import { reasonOf, rejection } from "../support/rejection";

/** Newest first: whether a revision is deployed, or has failed. */
const STATUSES = ["DEPLOYED", "BUILD_FAILED", "DEPLOYED", "BUILD_FAILED", "DEPLOYED"];
const ALL = STATUSES.map((status, at) => aRevision({ id: `r${at}`, status }));

const revisionsAt = (baseUrl: string) =>
  new ControlPlane({ baseUrl, apiKey: "key", workspaceId: "w", clock: aClock() }).revisions;

describe("the list of revisions", () => {
  const serve = useServers();
  const rows: [RevisionFilters, number[]][] = [
    [{}, [0, 1, 2, 3, 4]],
    [{ offset: 3 }, [3, 4]],
    [{ limit: 2, offset: 1 }, [1, 2, 3, 4]],
    [{ status: "DEPLOYED" }, [0, 2, 4]],
    [{ status: "DEPLOYED", offset: 1 }, [2, 4]],
    [{ status: "DEPLOYED", offset: 3 }, []],
    [{ status: "DEPLOYED", offset: 1, limit: 1 }, [2, 4]],
  ];
  for (const knowsStatus of [true, false])
    for (const [filters, places] of rows)
      it(`gives ${places.length} for ${JSON.stringify(filters)}, where the server ${knowsStatus ? "knows" : "ignores"} the status`, async () => {
        const { url: baseUrl } = await serve(({ url }, response) => {
          const query = new URL(url, "http://localhost").searchParams;
          const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
          const status = knowsStatus ? query.get("status") : null;
          const matching = ALL.filter((revision) => status === null || revision.status === status);
          json(response, 200, { resources: matching.slice(offset, offset + limit) });
        });
        const found = await Array.fromAsync(revisionsAt(baseUrl).list("d", filters));
        expect(found.map(({ id }) => id)).to.deep.equal(places.map((at) => `r${at}`));
      });
});

describe("the newest revisions", () => {
  const serve = useServers();
  it("are no more than asked for, also of a server that does not paginate", async () => {
    const { url: baseUrl } = await serve(always(200, { resources: ALL }));
    const newest = await revisionsAt(baseUrl).newest("d", 2);
    expect(newest.map(({ id }) => id)).to.deep.equal(["r0", "r1"]);
  });
});

describe("the wait for a revision", () => {
  const serve = useServers();
  /** Answers with one status after another, and with the last for good; a number is that of an error. */
  const wait = async (
    answers: readonly (string | number)[],
    options: object = {},
    onRequest: (headers: Readonly<Record<string, unknown>>) => unknown = () => undefined,
  ) => {
    const { url: baseUrl } = await serve(({ headers }, response, count) => {
      onRequest(headers);
      const status = answers[Math.min(count, answers.length) - 1] ?? "";
      if (typeof status === "number") json(response, status, {});
      else json(response, 200, aRevision({ id: "r", status }));
    });
    return (await revisionsAt(baseUrl).wait("d", "r", options)).status;
  };
  for (const end of ["DEPLOYED", "BUILD_FAILED", "INTERRUPTED", "SKIPPED"])
    it(`returns it when it is ${end}, whatever came before`, async () => {
      expect(await wait(["QUEUED", 503, "NEW_STATUS", "DEPLOYING", end])).to.equal(end);
    });

  it("names the resource that it is for with each request", async () => {
    const named: unknown[] = [];
    const note = (headers: Readonly<Record<string, unknown>>) =>
      named.push(headers["x-pulumi-urn"]);
    await wait(["QUEUED", "DEPLOYED"], { resource: "urn:a" }, note);
    expect(named).to.deep.equal(["urn:a", "urn:a"]);
  });

  it("ends after its timeout, or with its signal's reason", async () => {
    const late = await rejection(wait(["BUILDING"], { timeoutSeconds: 5 }));
    expect(late).to.be.instanceOf(WaitEnded);
    expect(late.message).to.contain("timed out after 5 s, still BUILDING");
    expect(await reasonOf(wait(["BUILDING"]))).to.contain("timed out after 1800 s");
    const abort = new AbortController();
    const end = (): void => abort.abort(new Error("enough"));
    expect(await reasonOf(wait(["BUILDING"], { signal: abort.signal }, end))).to.equal("enough");
  });
});
