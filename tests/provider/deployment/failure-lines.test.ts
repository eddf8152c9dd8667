import { expect } from "chai";
import type { Deployment, Revision } from "pulumi-agentserver/sdk";
import { awaitRollout } from "../../../provider/deployment/rollout/await";
import type { Props } from "../../../provider/arguments/props";
import { aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { accepted, aTarget } from "../../support/deployment";
import { anOperation } from "../../support/operation";
import { outputsAfter } from "../../../provider/deployment/service/outputs";
import { rejection } from "../../support/rejection";

const OURS = aRevision().id;
const NEWER = "44444444-4444-4444-8444-444444444444";
const OLDER = "22222222-2222-4222-8222-222222222222";

/** The logs of a control plane of a test; it masks nothing. */
interface Shown {
  readonly revisions: readonly Revision[];
  readonly deployment?: Partial<Deployment>;
  /** Undefined where it has no logs. */
  readonly log?: readonly string[];
}

describe("what is reported of a revision that does not run", () => {
  let server: TestServer;
  afterEach(() => server.close());

  const told = async (shown: Shown, inputs: Props = GIT_INPUTS, formerSecrets: string[] = []) => {
    const deployment = aDeployment({ active_revision_id: null, ...shown.deployment });
    server = await startServer(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, "http://localhost");
      if (pathname.endsWith("/logs")) {
        if (shown.log === undefined) return json(response, 404, { detail: "Not Found" });
        const newest = shown.log.toReversed().slice(0, Number(searchParams.get("limit")));
        return json(response, 200, { logs: newest.map((message) => ({ message })) });
      }
      if (pathname.endsWith("/revisions"))
        return json(response, 200, { resources: shown.revisions });
      const revision = shown.revisions.find(({ id }) => pathname.endsWith(id));
      return json(response, 200, revision ?? deployment);
    });
    const operation = anOperation(server.url);
    const target = { ...aTarget(inputs), formerSecrets };
    const result = awaitRollout(operation, target, accepted(deployment, OURS));
    return (await rejection(outputsAfter(operation, target, result))).message;
  };
  const failed = aRevision({ status: "BUILD_FAILED" });

  it("holds no secret of the program, of others, or of the time before, and every plain value", async () => {
    const secrets = [
      { name: "OPEN", value: "value-in-clear" },
      { name: "THEIRS", value: "CANARY-theirs" },
    ];
    const inputs = {
      ...GIT_INPUTS,
      env: { OPEN: "value-in-clear" },
      secrets: { OURS: "CANARY-ours" },
      smokeCheck: { apiKey: "CANARY-key" },
    };
    const log = ["CANARY-ours CANARY-theirs CANARY-before CANARY-key value-in-clear"];
    const shown = { revisions: [failed], deployment: { secrets }, log };
    const text = await told(shown, inputs, ["CANARY-before"]);
    expect(text).to.contain("| [secret] [secret] [secret] [secret] value-in-clear");
    expect(text).not.to.contain("CANARY");
  });

  it("quotes the last 30 lines of the log", async () => {
    const log = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
    const quoted = (await told({ revisions: [failed], log })).match(/(?<=\| ).*/g);
    expect(quoted).to.deep.equal(log.slice(10));
  });

  it("quotes no line of the log that the reason has, or a line of the log that gives the cause", async () => {
    const cause = "'npm ci' exited with code 1: npm error no such package";
    const log = ["$ npm ci", "npm error code E404", "npm error no such package", "npm error see x"];
    const lines = async (status_message: string | null, logged: readonly string[]) => {
      const revisions = [aRevision({ status: "BUILD_FAILED", status_message })];
      const text = await told({ revisions, log: logged });
      await server.close();
      return text.match(/(?<=\| ).*/g);
    };
    expect(await lines(`${cause}\nnpm error see x`, log)).to.deep.equal(log.slice(0, 2));
    expect(await lines(`${cause}\nnpm error see x`, log.slice(2))).to.equal(null);
    const once = log.filter((line) => line !== "npm error no such package");
    expect(await lines(null, [...log, cause])).to.deep.equal([...once, cause]);
  });

  it("quotes the beginning of a long reason and of a long line, and no half of a secret", async () => {
    const long = `${"x".repeat(1_995)}CANARY-before${"x".repeat(1_000_000)}`;
    const revisions = [aRevision({ status: "BUILD_FAILED", status_message: long })];
    const text = await told({ revisions, log: [`${long}x`] }, GIT_INPUTS, ["CANARY-before"]);
    expect(text.match(/ … \(\d+ more characters\)/g)).to.have.length(2);
    expect(text).not.to.contain("CAN");
    expect(text.length).to.be.below(5_000);
  });

  const LOST = { status: "DEPLOY_FAILED", status_message: "no answer" };
  const STOPPED = { status: "INTERRUPTED", status_message: "stopped by ann@example.com" };
  const rows: [string, Revision[], string | null, RegExp, string][] = [
    [
      "no log",
      [failed],
      null,
      /ended with BUILD_FAILED after \d+ s$/,
      "none of its revisions serves",
    ],
    [
      "the service's own words",
      [aRevision(STOPPED)],
      OLDER,
      /was interrupted on the control plane after \d+ s: stopped by ann@example.com$/,
      `the previous revision, ${OLDER}, still serves`,
    ],
    [
      "the newer revision that ours was skipped for",
      [aRevision({ id: NEWER, ...LOST }), aRevision({ status: "SKIPPED" })],
      null,
      /44444444\S+ ended with DEPLOY_FAILED after \d+ s: no answer$/,
      "none of its revisions serves",
    ],
    [
      "a newer revision that serves",
      [aRevision({ id: NEWER }), failed, aRevision({ id: OLDER })],
      NEWER,
      /ended with BUILD_FAILED/,
      `a newer revision, ${NEWER}, serves`,
    ],
    [
      "the revision of before that serves, beside a newer one",
      [aRevision({ id: NEWER }), failed, aRevision({ id: OLDER })],
      OLDER,
      /ended with BUILD_FAILED/,
      `the previous revision, ${OLDER}, still serves`,
    ],
  ];
  for (const [what, revisions, active_revision_id, headline, serving] of rows)
    it(`has what happened, what serves and what to do now: ${what}`, async () => {
      const lines = (await told({ revisions, deployment: { active_revision_id } })).split("\n");
      expect(lines[0])
        .to.match(/^deployment 'support': revision /)
        .and.match(headline);
      expect(lines[1]?.trim()).to.equal(serving);
      expect(lines[2]).to.contain("`pulumi up` again; it creates one new revision");
    });

  it("promises no new revision where there is no image to make one of", async () => {
    const inputs = { source: "internal_container" };
    const text = await told({ revisions: [failed] }, inputs);
    expect(text).to.contain(
      "there is no image yet to create a new revision from: push one, set `sourceRevisionConfig.imageUri`",
    );
    expect(text).not.to.contain("it creates one new revision");
  });

  it("says of a failed smoke check what to do now", async () => {
    const deployment = { active_revision_id: OURS, name: "support", url: null };
    const shown = { revisions: [aRevision({ status: "DEPLOYED" })], deployment };
    expect(await told(shown, { ...GIT_INPUTS, smokeCheck: true })).to.match(
      /^deployment 'support': the revision is deployed, but the smoke check .* failed: the control plane names no URL.*\n.*`pulumi up` again: it checks the same revision and creates none\n.*`pulumi-agentserver redeploy support` or change `redeployOn`/,
    );
  });
});
