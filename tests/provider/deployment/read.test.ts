import { expect } from "chai";
import { snakeKeys } from "../../../provider/arguments/casing";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { listedInputs } from "../../../provider/deployment/read";
import type { Deployment } from "../../../sdk";
import { aClock, aDeployment, aRevision } from "../../support/builders";
import { useControlPlane } from "../../support/control-plane";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { reasonOf, rejection } from "../../support/rejection";
import { messageOf } from "../../../shared/errors";
import { impatientClock } from "../../support/clock";

const { id, tenant_id: workspaceId } = aDeployment();
const OURS = aRevision().id;
const NEWER = "44444444-4444-4444-8444-444444444444";
const OLDER = "22222222-2222-4222-8222-222222222222";

const fromGit = {
  source_config: snakeKeys(GIT_INPUTS.sourceConfig),
  source_revision_config: snakeKeys(GIT_INPUTS.sourceRevisionConfig),
};

describe("a deployment as a control plane shows it", () => {
  const plane = useControlPlane();
  let url = "";
  const context = (config = {}) => contextOf({ url, apiKey: "key", workspaceId }, [], config);
  const importing = () => ({ ...context(), canImport: true });
  const olds = () => ({ ...GIT_INPUTS, baseUrl: url, tenantId: workspaceId });

  describe("moves a pending rollout on", () => {
    /** Reads with these revisions, newest first; the list shows so many at once. */
    const rolloutAfter = async (
      statuses: Record<string, string>,
      active: string,
      listed = 9,
      more: object = {},
    ) => {
      const revisions = Object.entries(statuses).map(([of, status]) => ({ id: of, status }));
      url = await plane.serve({
        deployment: () => ({ active_revision_id: active }),
        revision: (of) => revisions.find((one) => one.id === of) ?? 404,
        revisions(query) {
          const offset = Number(query.get("offset") ?? 0);
          const limit = Number(query.get("limit"));
          return revisions.slice(offset, offset + (limit === 10 ? listed : limit));
        },
      });
      const rollout = { revisionId: OURS, state: "pending" };
      const { props } = await lifecycle.read(id, { ...olds(), ...more, rollout }, context());
      return props?.["rollout"];
    };

    const NEWEST = { [NEWER]: "DEPLOYED", [OURS]: "DEPLOYED" };
    const ALONE = { [OURS]: "DEPLOYED" };
    const SERVED = { ...ALONE, [OLDER]: "DEPLOYED" };
    const smokeCheck = { graphId: "agent" };
    const rows: [string, string, ...Parameters<typeof rolloutAfter>][] = [
      ["by its own revision alone", "pending", { ...NEWEST, [OURS]: "BUILDING" }, OLDER],
      ["when a newer revision serves already", "done", NEWEST, NEWER],
      ["not while an older one serves", "pending", { ...ALONE, [OLDER]: "DEPLOYED" }, OLDER],
      ["not while a smoke check is to come", "pending", ALONE, OURS, 9, { smokeCheck }],
      ["where nobody waits for it", "done", ALONE, OURS, 9, { wait: { until: "none" } }],
      ["also while an older one serves", "done", SERVED, OLDER, 9, { wait: { until: "none" } }],
      ["when its revision is no longer among the newest", "done", NEWEST, NEWER, 1],
    ];
    for (const [when, state, ...shown] of rows)
      it(when, async () =>
        expect(await rolloutAfter(...shown)).to.deep.equal({ revisionId: OURS, state }),
      );
  });

  it("keeps on a refresh what the program declares, also where that repeats a default", async () => {
    url = await plane.serve({ deployment: () => fromGit });
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, buildOnPush: false };
    const { inputs } = await lifecycle.read(id, { ...olds(), sourceConfig }, importing());
    expect(inputs).to.have.nested.property("sourceConfig.buildOnPush", false);
  });

  describe("names a latest revision that can't be seen yet", () => {
    /** The revision's own GET answers 404 for so many looks; an older one serves until then. */
    const hiding = async (looks: number) => {
      let left = looks;
      url = await plane.serve({
        deployment: () => ({
          ...fromGit,
          latest_revision_id: OURS,
          active_revision_id: left > 0 ? OLDER : OURS,
        }),
        revisions: () => (left > 0 ? [{ id: OLDER }] : [{ id: OURS }, { id: OLDER }]),
        revision: (of) => (of === OURS && left-- > 0 ? 404 : {}),
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
      expect(new Set(plane.received().map(({ method }) => method))).to.have.all.keys("GET");
    });
  });

  describe("is imported as what a program declares", () => {
    const imported = async (live: Partial<Deployment>) => {
      url = await plane.serve({
        deployment: () => ({ latest_revision_id: null, ...live }),
        revisions: () => [],
      });
      const found = await lifecycle.read(id, {}, importing());
      expect(found.props).to.deep.include({ rollout: { revisionId: null, state: "done" } });
      return found.inputs;
    };

    it("without what means the same where it is left out", async () => {
      const filled = { ...fromGit.source_config, custom_url: "https://x.example.com" };
      const resource_spec = { cpu: null, cpu_limit: null };
      const live = { ...fromGit, source_config: { ...filled, resource_spec } };
      expect(await imported(live)).to.deep.equal({ ...GIT_INPUTS, name: "support" });
    });

    it("with its variables as secrets and its size, less what follows from it", async () => {
      const inputs = await imported({
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

    const secrets = [{ name: "A", value: "1" }];
    const { source_revision_config } = fromGit;
    const SHOWN = { source_config: { resource_spec: { cpu: 2 } }, source_revision_config, secrets };
    const IMAGE = { source: "external_container", source_revision_config: {} };
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
        const inputs = await imported({ ...SHOWN, ...members });
        const own = context({ "agentserver:dialect": dialect });
        const listed = listedInputs(aDeployment({ ...SHOWN, ...members }), own);
        expect(listed).to.deep.equal(isWhole ? inputs : undefined);
      });

    it("and is none where it is gone", async () => {
      url = await plane.serve({ deployment: () => 404 });
      expect(await reasonOf(lifecycle.read(id, {}, importing()))).to.contain(id);
      expect(await lifecycle.read(id, olds(), importing())).not.to.have.property("id", id);
    });
  });

  describe("is being deleted", () => {
    /** Shows these statuses, one a poll, and is gone then; a DELETE has this answer. */
    const showing = async (statuses: string[], deleted = 409) => {
      url = await plane.serve({
        deployment: () => statuses.shift() ?? 404,
        meddle({ method }, response) {
          if (method === "DELETE") response.writeHead(deleted).end('{"detail":"no"}');
          return method === "DELETE";
        },
      });
    };
    const deletes = () => plane.received().filter(({ method }) => method === "DELETE").length;

    for (const status of ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"])
      it(`and is neither deleted twice nor updated when it is ${status}`, async () => {
        await showing([status, status]);
        await lifecycle.delete(id, { ...olds(), protectThreads: true }, context());
        expect(deletes()).to.equal(0);
        await showing([status]);
        const { message } = await rejection(lifecycle.update(id, olds(), GIT_INPUTS, context()));
        expect(message).to.contain("is being deleted on the control plane");
      });

    it("and is gone where it is DELETED, for a refresh as for `get`, and not deleted twice", async () => {
      await showing(Array.from({ length: 9 }, () => "DELETED"));
      expect((await lifecycle.read(id, olds(), context())).id).to.equal("");
      expect(await reasonOf(lifecycle.read(id, {}, context()))).to.contain("does not exist");
      await lifecycle.delete(id, olds(), context());
      expect(deletes()).to.equal(0);
    });

    for (const [status, outcome] of [
      [204, "deleted"],
      [404, "deleted"],
      ...[400, 401, 403, 409, 500].map((refusal) => [refusal, `${refusal} no`] as const),
    ] as const)
      it(`and a DELETE that has a ${status} is ${outcome}, also where no deployment is read then`, async () => {
        await showing(["READY"], status);
        const patient = { ...context(), clock: impatientClock() };
        const ended = await lifecycle.delete(id, olds(), patient).then(() => "deleted", messageOf);
        expect(deletes()).to.be.above(0);
        expect(ended).to.contain(outcome);
      });
  });
});
