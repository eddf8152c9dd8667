import { expect } from "chai";
import { ControlPlane } from "pulumi-agentserver/sdk";
import type { RevisionFilters } from "../../sdk/revisions";
import { aRevision } from "../support/builders";
import { json, startServer } from "../support/http";

/** Newest first: whether a revision is deployed, or has failed. */
const STATUSES = ["DEPLOYED", "BUILD_FAILED", "DEPLOYED", "BUILD_FAILED", "DEPLOYED"];
const ALL = STATUSES.map((status, at) => aRevision({ id: `r${at}`, status }));

describe("the list of revisions", () => {
  const rows: [RevisionFilters, number[]][] = [
    [{}, [0, 1, 2, 3, 4]],
    [{ offset: 3 }, [3, 4]],
    [{ offset: 5 }, []],
    [{ limit: 2, offset: 1 }, [1, 2, 3, 4]],
    [{ status: "DEPLOYED" }, [0, 2, 4]],
    [{ status: "DEPLOYED", offset: 1 }, [2, 4]],
    [{ status: "DEPLOYED", offset: 2 }, [4]],
    [{ status: "DEPLOYED", offset: 3 }, []],
    [{ status: "DEPLOYED", offset: 1, limit: 1 }, [2, 4]],
    [{ status: "QUEUED" }, []],
  ];
  for (const knowsStatus of [true, false])
    for (const [filters, places] of rows)
      it(`gives ${places.length} for ${JSON.stringify(filters)}, where the server ${knowsStatus ? "knows" : "ignores"} the status`, async () => {
        const server = await startServer(({ url }, response) => {
          const query = new URL(url, "http://localhost").searchParams;
          const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))];
          const status = knowsStatus ? query.get("status") : null;
          const matching = ALL.filter((revision) => status === null || revision.status === status);
          json(response, 200, { resources: matching.slice(offset, offset + limit) });
        });
        try {
          const where = { baseUrl: server.url, apiKey: "key", workspaceId: "w" };
          const found: string[] = [];
          for await (const { id } of new ControlPlane(where).revisions.list("d", filters))
            found.push(id);
          expect(found).to.deep.equal(places.map((at) => `r${at}`));
        } finally {
          await server.close();
        }
      });
});
