import { expect } from "chai";
import { snakeKeys } from "../../../provider/arguments/casing";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { listedInputs } from "../../../provider/deployment/read";
import type { Deployment } from "../../../sdk";
import { aClock, aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";
import { messageOf } from "../../../shared/errors";
import { impatientClock } from "../../support/clock";

const { id, tenant_id: workspaceId } = aDeployment();
const OURS = aRevision().id;
const NEWER = "44444444-4444-4444-8444-444444444444";
const OLDER = "22222222-2222-4222-8222-222222222222";

describe("a deployment as a control plane shows it", () => {
  let server: TestServer;
  afterEach(() => server.close());
  const context = () => contextOf({ url: server.url, apiKey: "key", workspaceId });
  const olds = () => ({ ...GIT_INPUTS, baseUrl: server.url, tenantId: workspaceId });

  describe("moves a pending rollout on", () => {
    /** Reads with these revisions, newest first; the list shows so many at once. */
    const rolloutAfter = async (
      statuses: Record<string, string>,
      active: string,
      listed = 9,
      more: object = {},
    ) => {
      const revisions = Object.entries(statuses).map(([of, status]) =>
        aRevision({ id: of, status }),
      );
      server = await startServer(({ url }, response) => {
        const { pathname, searchParams } = new URL(url, "http://localhost");
        const offset = Number(searchParams.get("offset") ?? 0);
        const limit = Number(searchParams.get("limit"));
        if (pathname.endsWith("/revisions"))
          return json(response, 200, {
            resources: revisions.slice(offset, offset + (limit === 10 ? listed : limit)),
          });
        const revision = revisions.find((one) => pathname.endsWith(one.id));
        return json(response, 200, revision ?? aDeployment({ active_revision_id: active }));
      });
      const rollout = { revisionId: OURS, state: "pending" };
      const { props } = await lifecycle.read(id, { ...olds(), ...more, rollout }, context());
      return props?.["rollout"];
    };

    const NEWEST = { [NEWER]: "DEPLOYED", [OURS]: "DEPLOYED" };
    const ALONE = { [OURS]: "DEPLOYED" };
    const smokeCheck = { graphId: "agent" };
    const rows: [string, string, ...Parameters<typeof rolloutAfter>][] = [
      ["by its own revision alone", "pending", { ...NEWEST, [OURS]: "BUILDING" }, OLDER],
      ["when a newer revision serves already", "done", NEWEST, NEWER],
      ["not while an older one serves", "pending", { ...ALONE, [OLDER]: "DEPLOYED" }, OLDER],
      ["not while a smoke check is to come", "pending", ALONE, OURS, 9, { smokeCheck }],
      ["where nobody waits for it", "done", ALONE, OURS, 9, { wait: { until: "none" } }],
      ["when its revision is no longer among the newest", "done", NEWEST, NEWER, 1],
    ];
    for (const [when, state, ...shown] of rows)
      it(when, async () =>
        expect(await rolloutAfter(...shown)).to.deep.equal({ revisionId: OURS, state }),
      );
  });

  describe("names a latest revision that can't be seen yet", () => {
    /** The revision's own GET answers 404 for so many looks; an older one serves until then. */
    const hiding = async (looks: number) => {
      let left = looks;
      server = await startServer(({ url }, response) => {
        const { pathname } = new URL(url, "http://localhost");
        const seen = left <= 0 ? [aRevision({ id: OURS })] : [];
        if (pathname.endsWith("/revisions"))
          return json(response, 200, { resources: [...seen, aRevision({ id: OLDER })] });
        if (pathname.endsWith(`/revisions/${OURS}`))
          return left-- > 0
            ? json(response, 404, { detail: "no such revision" })
            : json(response, 200, aRevision({ id: OURS }));
        const live = {
          source_config: snakeKeys(GIT_INPUTS.sourceConfig),
          source_revision_config: snakeKeys(GIT_INPUTS.sourceRevisionConfig),
          latest_revision_id: OURS,
          active_revision_id: seen.length > 0 ? OURS : OLDER,
        };
        return json(response, 200, aDeployment(live));
      });
    };
    const pending = { rollout: { revisionId: OURS, state: "pending" } };

    for (const [how, props] of [
      ["at a refresh", () => ({ ...olds(), ...pending })],
      ["for `get`", () => ({})],
    ] as const)
      it(`and is there all the same ${how}, its rollout pending`, async () => {
        await hiding(Infinity);
        const found = await lifecycle.read(id, props(), context());
        expect(found.id).to.equal(id);
        expect(found.props).to.deep.include({ ...pending, ready: false, latestRevisionId: OURS });
      });

    it("and an update goes on waiting until it can be seen, and makes no other one", async () => {
      await hiding(30);
      const waiting = { ...context(), clock: aClock() };
      const { outs } = await lifecycle.update(id, { ...olds(), ...pending }, GIT_INPUTS, waiting);
      expect(outs).to.deep.include({ rollout: { revisionId: OURS, state: "done" }, ready: true });
      expect(new Set(server.received.map(({ method }) => method))).to.have.all.keys("GET");
    });
  });

  describe("is imported as what a program declares", () => {
    const importing = async (live: Partial<Deployment>) => {
      server = await startServer(({ url }, response) =>
        url.includes("/revisions")
          ? json(response, 200, { resources: [] })
          : json(response, 200, aDeployment({ latest_revision_id: null, ...live })),
      );
      const found = await lifecycle.read(id, {}, { ...context(), canImport: true });
      expect(found.props).to.deep.include({ rollout: { revisionId: null, state: "done" } });
      return found.inputs;
    };
    const fromGit = {
      source_config: snakeKeys(GIT_INPUTS.sourceConfig),
      source_revision_config: snakeKeys(GIT_INPUTS.sourceRevisionConfig),
    };
    const declared = { ...GIT_INPUTS, name: "support" };

    it("without what means the same where it is left out", async () => {
      const filled = { ...fromGit.source_config, custom_url: "https://x.example.com" };
      const resource_spec = { cpu: null, cpu_limit: null };
      const live = { ...fromGit, source_config: { ...filled, resource_spec } };
      expect(await importing(live)).to.deep.equal(declared);
    });

    it("with its variables as secrets and its size, less what follows from it", async () => {
      const inputs = await importing({
        source: "external_container",
        source_config: { resource_spec: { cpu: 2, cpu_limit: 4, queue_cpu: 2 } },
        source_revision_config: snakeKeys(IMAGE_INPUTS.sourceRevisionConfig),
        secrets: [{ name: "A", value: "1" }],
      });
      expect(inputs).to.deep.equal({
        secrets: { A: "1" },
        ...IMAGE_INPUTS,
        name: "support",
        sourceConfig: { resourceSpec: { cpu: 2 } },
      });
    });

    const SHOWN = {
      source_config: { resource_spec: { cpu: 2 } },
      source_revision_config: snakeKeys(GIT_INPUTS.sourceRevisionConfig),
      secrets: [{ name: "A", value: "1" }],
    };
    const IMAGE = { ...SHOWN, source: "external_container", source_revision_config: {} };
    const CASES: [what: string, Partial<Deployment>, dialect: string, isWhole: boolean][] = [
      ["all", {}, "agentserver", true],
      ["no variables", { secrets: [] }, "agentserver", true],
      ["no variables, which may be hidden", { secrets: [] }, "langsmith", false],
      ["nothing of variables", { secrets: null }, "langsmith", false],
      ["a mask", { secrets: [{ name: "A", value: "****" }] }, "agentserver", false],
      ["no ref", { source_revision_config: { graph_config_path: "a" } }, "agentserver", false],
      ["an image", { ...IMAGE, source_revision_config: { image_uri: "a:1" } }, "langsmith", true],
      ["no image", IMAGE, "langsmith", false],
      ["a push", { ...IMAGE, source: "internal_container" }, "langsmith", false],
    ];
    for (const [what, members, dialect, isWhole] of CASES)
      it(`is taken from a list as it is read, or not where it hides some of it: ${what}`, async () => {
        const inputs = await importing({ ...SHOWN, ...members });
        const own = contextOf({ url: server.url, apiKey: "key", workspaceId }, [], {
          "agentserver:dialect": dialect,
        });
        const listed = listedInputs(aDeployment({ ...SHOWN, ...members }), own);
        expect(listed).to.deep.equal(isWhole ? inputs : undefined);
      });

    it("and is none where it is gone", async () => {
      server = await startServer((_request, response) => json(response, 404, { detail: "gone" }));
      const importer = { ...context(), canImport: true };
      const { message } = await rejection(lifecycle.read(id, {}, importer));
      expect(message).to.contain(id);
      expect(await lifecycle.read(id, olds(), importer)).not.to.have.property("id", id);
    });
  });

  describe("is being deleted", () => {
    /** Shows these statuses, one a poll, and is gone then; a DELETE has this answer. */
    const showing = async (statuses: string[], deleted: number) => {
      server = await startServer(({ method }, response) => {
        if (method === "DELETE") return json(response, deleted, { detail: "the answer" });
        const status = statuses.shift();
        return status === undefined
          ? json(response, 404, { detail: "gone" })
          : json(response, 200, aDeployment({ status }));
      });
    };
    const deletes = () => server.received.filter(({ method }) => method === "DELETE").length;

    for (const status of ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"]) {
      it(`and is not deleted twice when it is ${status}`, async () => {
        await showing([status, status], 409);
        await lifecycle.delete(id, { ...olds(), protectThreads: true }, context());
        expect(deletes()).to.equal(0);
      });

      it(`and is not updated when it is ${status}`, async () => {
        await showing([status], 409);
        const { message } = await rejection(lifecycle.update(id, olds(), GIT_INPUTS, context()));
        expect(message).to.contain("is being deleted on the control plane");
      });
    }

    it("and is gone where it is DELETED, for a refresh as for `get`, and not deleted twice", async () => {
      await showing(
        Array.from({ length: 9 }, () => "DELETED"),
        409,
      );
      expect((await lifecycle.read(id, olds(), context())).id).to.equal("");
      expect((await rejection(lifecycle.read(id, {}, context()))).message).to.contain(
        "does not exist",
      );
      await lifecycle.delete(id, olds(), context());
      expect(deletes()).to.equal(0);
    });

    for (const [status, outcome] of [
      [204, "deleted"],
      [404, "deleted"],
      ...[400, 401, 403, 409, 500].map((refusal) => [refusal, `${refusal} no`] as const),
    ] as const)
      it(`and a DELETE that has a ${status} is ${outcome}, also where no deployment is read then`, async () => {
        let isRequested = false;
        server = await startServer(({ method }, response) => {
          const isRead = method !== "DELETE";
          if (isRead && !isRequested) return json(response, 200, aDeployment());
          isRequested = true;
          if (!isRead && status === 204) return response.writeHead(204).end();
          return json(response, isRead ? 404 : status, { detail: "no" });
        });
        const patient = { ...context(), clock: impatientClock() };
        const ended = await lifecycle.delete(id, olds(), patient).then(() => "deleted", messageOf);
        expect(isRequested).to.equal(true);
        expect(ended).to.contain(outcome);
      });
  });
});
