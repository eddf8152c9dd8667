import { expect } from "chai";
import {
  getRevision,
  getRevisionOutput,
  listRevisions,
  listRevisionsOutput,
} from "pulumi-agentserver";
import { json, startServer } from "../../support/http";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { configureStack, unconfigureStack, valueOf } from "./stack-configuration";
import { untyped } from "../../support/values";

describe("looking up revisions", () => {
  let test: TestPlatform;
  let deploymentId: string;
  let oldest: string;

  before(async () => {
    test = await startTestPlatform();
    configureStack(test.platform);
    const { id, latest_revision_id: first } = await test.create();
    deploymentId = id;
    oldest = first ?? "";
    await test.untilRevision(id, "DEPLOYED");
    for (const ref of ["second", "third"]) {
      await test.request("PATCH", `/v2/deployments/${id}`, {
        source_revision_config: { repo_ref: ref },
      });
      await test.untilRevision(id, "DEPLOYED");
    }
  });
  after(async () => {
    unconfigureStack();
    await test.close();
  });

  it("finds one of a deployment, with what it is made of", async () => {
    const revision = await getRevision({ deploymentId, revisionId: oldest });
    expect(revision).to.include({
      id: oldest,
      deploymentId,
      status: "DEPLOYED",
      source: "git_host",
      repoRef: "main",
      graphConfigPath: "langgraph.json",
      imageUri: null,
      statusMessage: null,
    });
    expect(revision.repoCommitSha).to.match(/^[0-9a-f]{40}$/);
    expect(Object.values(revision)).not.to.include(undefined);
    const output = getRevisionOutput({ deploymentId, revisionId: Promise.resolve(oldest) });
    expect(await valueOf(output)).to.deep.equal(revision);
  });

  it("lists them newest first, all or so many", async () => {
    const refs = async (limit?: number) =>
      (await listRevisions({ deploymentId, ...(limit && { limit }) })).map(
        ({ repoRef }) => repoRef,
      );
    expect(await refs()).to.deep.equal(["third", "second", "main"]);
    expect(await refs(2)).to.deep.equal(["third", "second"]);
    const outputs = listRevisionsOutput({ deploymentId, limit: 1 });
    expect(await valueOf(outputs)).to.deep.equal(await listRevisions({ deploymentId, limit: 1 }));
  });

  it("lists them from an offset", async () => {
    const refs = (await listRevisions({ deploymentId, offset: 1 })).map(({ repoRef }) => repoRef);
    expect(refs).to.deep.equal(["second", "main"]);
    expect(await listRevisions({ deploymentId, offset: 3 })).to.deep.equal([]);
    const [second] = await listRevisions({ deploymentId, offset: 1, limit: 1 });
    expect(second?.repoRef).to.equal("second");
  });

  for (const [what, isKnown] of [
    ["on the control plane", true],
    ["here, where the control plane ignores the query", false],
  ] as const)
    it(`narrows them to a status ${what}, and counts only those`, async () => {
      const statuses = ["DEPLOYED", "BUILD_FAILED", "DEPLOYED", "BUILD_FAILED", "BUILD_FAILED"];
      const every = statuses.map((status, at) => ({ id: `r${at}`, status }));
      const server = await startServer(({ url }, response) => {
        const wanted = new URL(url, "http://localhost").searchParams.get("status");
        const resources = every.filter(({ status }) => !isKnown || status === wanted);
        json(response, 200, { resources });
      });
      const { workspaceId } = test.platform;
      configureStack({ url: server.url, apiKey: "key", workspaceId });
      try {
        const asked = { deploymentId, status: "BUILD_FAILED" };
        const ids = async (more: { offset?: number; limit?: number }) =>
          (await listRevisions({ ...asked, ...more })).map(({ id }) => id);
        expect(await ids({})).to.deep.equal(["r1", "r3", "r4"]);
        expect(await ids({ offset: 1 })).to.deep.equal(["r3", "r4"]);
        expect(await ids({ offset: 1, limit: 1 })).to.deep.equal(["r3"]);
        expect(server.received[0]?.url).to.contain("status=BUILD_FAILED");
      } finally {
        configureStack(test.platform);
        await server.close();
      }
    });

  it("narrows them to a status of the local platform", async () => {
    expect(await listRevisions({ deploymentId, status: "DEPLOYED" })).to.have.length(3);
    expect(await listRevisions({ deploymentId, status: "BUILD_FAILED" })).to.deep.equal([]);
  });

  it("refuses wrong arguments, all at once", async () => {
    expect((await rejection(getRevision(untyped({ revisionId: "latest" })))).message).to.equal(
      "get revision: deploymentId is required; revisionId must be a UUID",
    );
    const wrong = { deploymentId: "a", limit: 0, offset: -1, status: "" };
    expect((await rejection(listRevisions(wrong))).message).to.equal(
      "list revisions: deploymentId must be a UUID; limit must be at least 1; offset must be at least 0; status must be a non-empty string",
    );
  });

  it("says where it has looked for one that is nowhere", async () => {
    const asked = getRevision({ deploymentId, revisionId: deploymentId });
    expect((await rejection(asked)).message)
      .to.match(new RegExp(`^get revision '${deploymentId}': 404 `))
      .and.to.contain(`workspace ${test.platform.workspaceId}`);
  });
});
