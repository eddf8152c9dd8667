import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { messageOf } from "../../../shared/errors";
import { aDeployment } from "../../support/builders";
import { impatientClock } from "../../support/clock";
import { json, startServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";

describe("the delete of a deployment", () => {
  for (const [status, outcome] of [
    [204, "deleted"],
    [404, "deleted"],
    [400, "400 no"],
    [401, "401 no"],
    [403, "403 no"],
    [409, "409 no"],
    [500, "500 no"],
  ] as const)
    it(`takes a ${status} for ${outcome}, also where no deployment is read then`, async () => {
      const { id, tenant_id: workspaceId } = aDeployment();
      let isRequested = false;
      const server = await startServer(({ method }, response) => {
        if (method === "DELETE") {
          isRequested = true;
          if (status === 204) return response.writeHead(204).end();
          return json(response, status, { detail: "no" });
        }
        return isRequested
          ? json(response, 404, { detail: "Deployment not found" })
          : json(response, 200, aDeployment());
      });
      const platform = { url: server.url, apiKey: "key", workspaceId };
      const context = { ...contextOf(platform), clock: impatientClock() };
      const olds = { ...GIT_INPUTS, baseUrl: server.url, tenantId: workspaceId };
      const ended = await lifecycle.delete(id, olds, context).then(() => "deleted", messageOf);
      await server.close();
      expect(isRequested).to.equal(true);
      expect(ended).to.contain(outcome);
    });
});
