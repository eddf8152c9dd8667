import type { ServerResponse } from "node:http";
import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { announceForcedReplacement } from "../../../provider/resource/announcement";
import { newProcessCache } from "../../../provider/resource/process-cache";
import { messageOf } from "../../../shared/errors";
import { aDeployment } from "../../support/builders";
import { useControlPlane } from "../../support/control-plane";
import { json, type Received } from "../../support/http";
import { GIT_INPUTS, URN } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";

type Answer = (request: Received, response: ServerResponse) => unknown;

/** An agent server with so many threads, by status. */
const counting =
  (counts: Readonly<Record<string, number>>): Answer =>
  ({ body }, response) =>
    json(response, 200, counts[JSON.parse(body).status ?? "all"] ?? 0);
const locked: Answer = ({ headers }, response) =>
  headers["x-api-key"] === "own" ? json(response, 200, 3) : json(response, 401, { detail: "no" });
const silent: Answer = () => undefined;
const KEYED = { smokeCheck: { apiKey: "own" } };
const MANY = counting({ all: 1204, busy: 3, interrupted: 2 });
const NONE = counting({});

describe("the threads of a deployment", () => {
  const plane = useControlPlane();
  let agent: Answer;
  let url = "";
  let isClosed = false;
  /** What the service shows of the agent server. */
  let shown: object;
  const OLD = { ...GIT_INPUTS, name: "support" };
  const NEW = { ...OLD, name: "helpdesk", smokeCheck: { apiKey: "next" } };

  beforeEach(async () => {
    let isGone = false;
    isClosed = false;
    url = await plane.serve({
      deployment: () => (isGone ? 404 : shown),
      meddle(request, response) {
        if (isClosed) json(response, 401, { detail: "no" });
        const isCount = request.url.startsWith("/threads/count");
        if (isCount) agent(request, response);
        isGone ||= request.method === "DELETE";
        if (request.method === "DELETE") response.writeHead(204).end();
        return isClosed || isCount || request.method === "DELETE";
      },
    });
    shown = { url };
  });

  const context = () => ({
    ...contextOf({ url, apiKey: "key", workspaceId: aDeployment().tenant_id }),
    processCache: newProcessCache(),
  });
  const requests = () => plane.received().map((one) => `${one.method} ${one.url.split("?")[0]}`);
  async function preview(olds: Props, news: Props) {
    const own = context();
    const { inputs = {}, failures = [] } = await lifecycle.check(olds, news, own);
    if (failures.length === 0) lifecycle.diff(aDeployment().id, olds, inputs, own);
    return { failures, message: own.processCache.announcements.get(URN) ?? "" };
  }

  const UNKNOWN = "it is not known how many threads go with it: ";
  const KEPT = '; to keep them, see docs/changes.md, "Keep the conversations"';
  const THREE = `3 threads go with it, 3 busy, 3 interrupted${KEPT}`;
  for (const [what, answer, more, expected] of [
    ["many", MANY, {}, `1,204 threads go with it, 3 busy, 2 interrupted${KEPT}`],
    ["none", NONE, {}, "0 threads go with it"],
    ["behind the key of the smoke check", locked, KEYED, THREE],
    ["behind a key of others", locked, {}, `${UNKNOWN}the agent server asks for a key`],
    ["of a server that does not answer", silent, {}, `${UNKNOWN}no answer within 2 s`],
  ] as const)
    it(`are counted in the preview of a replacement: ${what}`, async () => {
      agent = answer;
      const { message } = await preview({ ...OLD, ...more }, NEW);
      expect(message).to.contain(`its threads and database are deleted with it; ${expected}`);
      expect(message.includes(KEPT)).to.equal(expected.includes(KEPT));
    });

  it("are counted with the key of the new smoke check where the old one has none", async () => {
    agent = locked;
    expect((await preview(OLD, { ...NEW, ...KEYED })).message).to.contain("3 threads go with it");
  });

  it("are counted where only the engine knows that it replaces, as by replaceOnChanges through the native provider", async () => {
    agent = MANY;
    const own = context();
    for (const olds of [OLD, {}]) await lifecycle.check(olds, OLD, own);
    await announceForcedReplacement(own);
    expect(own.processCache.announcements.get(URN)).to.contain("1,204 threads go with it");
  });

  it("are not known where the control plane refuses to show the deployment, which no key of an agent server helps", async () => {
    isClosed = true;
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, deploymentType: "prod" };
    const { message } = await preview(OLD, { ...OLD, sourceConfig });
    expect(message).to.contain(`${UNKNOWN}401 no`);
  });

  it("are not known, and protected all the same, where the service shows no URL of the deployment that can be used", async () => {
    agent = MANY;
    for (const [none, why] of [
      [null, "the deployment has no URL"],
      ["", "the deployment has no URL"],
      ["agents.example.com", "its URL, as the control plane names it, is not a valid URL"],
    ] as const) {
      shown = { url: none };
      const { failures } = await preview({ ...OLD, protectThreads: true }, NEW);
      expect(failures.map(({ reason }) => reason).join()).to.contain(`${UNKNOWN}${why}`);
    }
  });

  it("are not asked for in the preview of anything else", async () => {
    agent = MANY;
    const sourceRevisionConfig = { ...GIT_INPUTS.sourceRevisionConfig, repoRef: "next" };
    for (const news of [OLD, { ...OLD, sourceRevisionConfig }]) await preview(OLD, news);
    await preview({}, OLD);
    expect(requests()).to.deep.equal([]);
  });

  it("are neither counted nor protected where retainOnDelete of the state keeps them", async () => {
    agent = MANY;
    const kept = { ...OLD, protectThreads: true, __keeping: ["retainOnDelete"] };
    expect((await preview(kept, NEW)).failures).to.be.empty;
    expect(requests().join()).not.to.contain("threads");
  });

  for (const [what, answer, isRefused] of [
    ["has threads", MANY, true],
    ["does not say whether it has any", locked, true],
    ["has none", NONE, false],
  ] as const)
    describe(`with protectThreads, of a server that ${what}`, () => {
      const protect = { protectThreads: true };
      const REASON =
        /^is set, and .*threads go with it.*; nothing was deleted; .*protectThreads: false$/;
      beforeEach(() => (agent = answer));

      it(`${isRefused ? "refuse" : "allow"} a replacement, set in the program or in the state`, async () => {
        for (const [olds, news] of [
          [OLD, { ...NEW, ...protect }],
          [OLD, { ...OLD, ...protect, env: { A: "1" }, __replaceOnChanges: ["env"] }],
          [{ ...OLD, ...protect }, NEW],
        ] as const) {
          const { failures } = await preview(olds, news);
          expect(failures.map(({ property }) => property)).to.deep.equal(
            isRefused ? ["protectThreads"] : [],
          );
          for (const { reason } of failures) expect(reason).to.match(REASON);
        }
      });

      it(`${isRefused ? "refuse" : "allow"} the deletion that the state protects`, async () => {
        const { id, tenant_id: tenantId } = aDeployment();
        const olds = { ...OLD, ...protect, baseUrl: url, tenantId };
        const ended = await lifecycle.delete(id, olds, context()).then(() => "deleted", messageOf);
        expect(ended).to.contain(isRefused ? "protectThreads is set, and " : "deleted");
        expect(requests().some((one) => one.startsWith("DELETE"))).to.equal(!isRefused);
      });
    });
});
