import { expect } from "chai";
import { z } from "zod";
import { inTokyo } from "../../../support/time-zone";
import { usePlatform } from "../../../support/platform";

const texts = { id: z.string(), level: z.string(), message: z.string() };
const Line = z.strictObject({ ...texts, timestamp: z.iso.datetime() });
const Page = z.strictObject({ logs: z.array(Line), next_offset: z.string().nullable() });

describe("local/http/routes/project-logs", () => {
  const t = usePlatform({ dialect: "langsmith" });
  let deploymentId: string;
  let failedId: string;
  let first: string;
  before(async () => {
    const { id, latest_revision_id } = await t.create();
    first = latest_revision_id ?? "";
    await t.untilRevision(id, "DEPLOYED");
    t.fails("DEPLOY_FAILED", "one\nTWO\nthree");
    const secrets = [{ name: "LOG_LEVEL", value: "debug" }];
    await t.request("PATCH", `/v2/deployments/${id}`, { secrets });
    failedId = (await t.untilRevision(id, "DEPLOY_FAILED")).id;
    deploymentId = id;
  });

  const post = (path: string, body: object) =>
    t.request("POST", `/v1/projects/${deploymentId}${path}`, body);
  const read = async (path: string, body: object = {}) => {
    const { status, body: page } = await post(path, body);
    expect(status).to.equal(200);
    return Page.parse(page);
  };
  const messagesOf = async (path: string, body: object = {}) =>
    (await read(path, body)).logs.map(({ message }) => message);
  const SIMULATED = "simulated: nothing runs, this stage takes 0.01 s";

  it("answers the log of a build, of a deploy, and the deploy logs of all revisions in the order of their times, each line with an id by which a client that follows knows it again", async () => {
    for (const [path, messages, body] of [
      [`/revisions/${first}/build_logs`, [SIMULATED, SIMULATED]],
      [`/revisions/${failedId}/deploy_logs`, ["one", "TWO", "three"]],
      ["/deploy_logs", [SIMULATED, "one", "TWO", "three"]],
      ["/deploy_logs", ["three", "TWO"], { order: "desc", limit: 2 }],
    ] as const)
      expect(await messagesOf(path, body)).to.deep.equal(messages);
    const { logs } = await read("/deploy_logs");
    expect(new Set(logs.map(({ id }) => id)).size).to.equal(4);
    const newest = await read("/deploy_logs", { start_time: logs.at(-1)?.timestamp });
    expect(logs).to.deep.include(newest.logs.at(-1));
  });

  for (const path of ["/deploy_logs", "/revisions/REVISION/deploy_logs"])
    it(`pages through ${path} without a gap`, async () => {
      const at = path.replace("REVISION", failedId);
      const messages: string[] = [];
      for (let offset: string | null | undefined; offset !== null;) {
        const page: z.infer<typeof Page> = await read(at, { limit: 1, offset });
        messages.push(...page.logs.map(({ message }) => message));
        offset = page.next_offset;
      }
      expect(messages).to.deep.equal(await messagesOf(at));
    });

  it("filters by level, by part of a message, and by time", async () => {
    const path = `/revisions/${failedId}/deploy_logs`;
    const all = ["one", "TWO", "three"];
    for (const [filter, messages] of [
      [{ level: "ERROR" }, all],
      [{ level: "DEBUG" }, []],
      [{ query: "tw" }, ["TWO"]],
      [{ start_time: "2199-01-01T00:00:00+02:00" }, []],
      [{ start_time: "2001-01-01T00:00:00-05:00" }, all],
      [{ end_time: "2001-01-01T00:00:00Z" }, []],
      [{ start_time: "2001-01-01T00:00:00", end_time: null }, all],
    ] as const)
      expect(await messagesOf(path, filter)).to.deep.equal(messages);
  });

  it("takes a time without an offset for UTC, wherever the platform runs", async () => {
    const path = `/revisions/${failedId}/deploy_logs`;
    const now = new Date().toISOString().replace("Z", "");
    const inTime = (times: object) => inTokyo(() => messagesOf(path, times));
    expect(await inTime({ end_time: now })).to.deep.equal(["one", "TWO", "three"]);
    expect(await inTime({ start_time: now })).to.deep.equal([]);
  });

  it("answers 404 to what is not of this workspace, and 422 to what is wrong", async () => {
    const other = "11111111-1111-4111-8111-111111111111";
    expect((await post(`/revisions/${other}/build_logs`, {})).status).to.equal(404);
    expect((await t.request("POST", `/v1/projects/${other}/deploy_logs`, {})).status).to.equal(404);
    for (const body of [{ limit: 0 }, { order: "up" }, { offset: "x" }, { start_time: "soon" }])
      expect((await post("/deploy_logs", body)).status, JSON.stringify(body)).to.equal(422);
  });
});
