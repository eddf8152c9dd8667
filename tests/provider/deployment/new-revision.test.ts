import { expect } from "chai";
import { comesAfter, newerThan } from "../../../provider/deployment/service/revision-order";
import { newRevision, redeploy, responseTo } from "../../../provider/deployment/service/send-patch";
import { Conflict, ConnectionError } from "../../../sdk";
import { aDeployment, aRevision } from "../../support/builders";
import { useControlPlane } from "../../support/control-plane";
import { json } from "../../support/http";
import { anOperation } from "../../support/operation";
import { rejection } from "../../support/rejection";

const [OLD, LISTED, NEW] = ["old", "listed", "new"];

describe("the revision that a request created", () => {
  const plane = useControlPlane();
  /** What the control plane shows: the newest revisions, and the deployment's latest. */
  const showing = async (revisions: readonly string[], latest?: string | null, status = 200) => {
    const url = await plane.serve({
      deployment: () => (latest === undefined ? {} : { latest_revision_id: latest }),
      revisions: () => revisions.map((id) => ({ id })),
      meddle(_request, response) {
        if (status === 0) response.destroy();
        else if (latest === undefined || status !== 200) json(response, status, { detail: "no" });
        return status === 0 || latest === undefined || status !== 200;
      },
    });
    return anOperation(url);
  };

  const withLatest = (id: string | null) => aDeployment({ latest_revision_id: id });
  /** Its list lags behind. */
  const before = { deployment: withLatest(OLD), revisions: [aRevision({ id: LISTED })] };
  /** The revision after a response with this latest one, or with no deployment. */
  const created = async (
    latest: string | null | undefined,
    ...shown: Parameters<typeof showing>
  ) => {
    const response = latest === undefined ? {} : { deployment: withLatest(latest) };
    return (await newRevision(await showing(...shown), before, response)).revisionId;
  };

  it("is the deployment's latest where it is a new one, and no look at the list is needed", async () => {
    expect(await created(NEW, [])).to.equal(NEW);
    expect(plane.received()).to.be.empty;
  });

  it("is the first new one of the list where the deployment shows an older one, or none; a later one is another client's", async () => {
    for (const latest of [OLD, LISTED, null])
      for (const revisions of [[NEW], ["later", NEW, OLD]])
        expect(await created(latest, revisions, null)).to.equal(NEW);
  });

  it("is none where everything that is shown was there before", async () => {
    for (const revisions of [[OLD], [LISTED], []])
      expect(await created(LISTED, revisions, null)).to.equal(undefined);
  });

  it("is looked for at the deployment and in its list where the response had none", async () => {
    expect(await created(undefined, [OLD], NEW)).to.equal(NEW);
    const path = `/v2/deployments/${aDeployment().id}`;
    const looks = plane.received().map(({ url }) => url);
    expect(looks).to.deep.equal([path, `${path}/revisions?limit=10`]);
  });

  it("is that of before where a service deploys it once more without a new one", async () => {
    for (const [latest, revisionId] of [
      [OLD, OLD],
      [null, LISTED],
      [NEW, NEW],
    ] as const) {
      const { rollout } = await redeploy(await showing([OLD], latest), before, LISTED);
      expect(rollout).to.deep.equal({ state: "pending", revisionId });
    }
  });

  it("may be there where no answer came to a request, and is not where it was refused", async () => {
    const updating = async (status: number) =>
      (await showing([], undefined, status)).client.deployments.update("d", {});
    expect((await responseTo(updating(0))).lost?.error).to.be.instanceOf(ConnectionError);
    expect(await rejection(responseTo(updating(409)))).to.be.instanceOf(Conflict);
    expect(await responseTo(updating(200)), "a success without a deployment").to.deep.equal({});
  });

  it("is newer than those behind it in the list, and than none where it is not in it", async () => {
    const operation = await showing([NEW, OLD], null);
    expect(await comesAfter(operation, NEW, OLD)).to.equal(true);
    expect(await comesAfter(operation, OLD, NEW)).to.equal(false);
    expect(await comesAfter(operation, "other", "another")).to.equal(false);
    const { signal } = new AbortController();
    expect(await newerThan(operation, aRevision({ id: OLD }), signal)).to.equal(NEW);
    expect(await newerThan(operation, aRevision({ id: NEW }), signal)).to.equal(undefined);
  });
});
