import { expect } from "chai";
import type { Deployment, Revision } from "pulumi-agentserver/sdk";
import { awaitRollout } from "../../../provider/deployment/rollout/await";
import type { Props } from "../../../provider/arguments/props";
import { aDeployment, aRevision } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { aTarget } from "../../support/deployment";
import { anOperation } from "../../support/operation";
import { outputsAfter } from "../../../provider/deployment/result";
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
    const reached = awaitRollout(operation, target, { deployment, revisionId: OURS });
    return (await rejection(outputsAfter(operation, target, reached))).message;
  };
  const failed = aRevision({ status: "BUILD_FAILED" });
  const NEXT = `fix the cause and run \`pulumi up\` again; it creates one new revision of deployment ${aDeployment().id}`;

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

  it("is reported without a log where the control plane offers none", async () => {
    expect(await told({ revisions: [failed] })).to
      .equal(`deployment 'support': revision ${OURS} ended with BUILD_FAILED after 0 s
      none of its revisions serves
      ${NEXT}`);
  });

  it("has the service's own words", async () => {
    const words = { status: "INTERRUPTED", status_message: "stopped by ann@example.com" };
    const deployment = { active_revision_id: OLDER };
    expect(await told({ revisions: [aRevision(words)], deployment })).to
      .equal(`deployment 'support': revision ${OURS} was interrupted on the control plane after 0 s: stopped by ann@example.com
      the previous revision, ${OLDER}, still serves
      ${NEXT}`);
  });

  it("names the newer revision where ours was skipped for it", async () => {
    const newer = aRevision({ id: NEWER, status: "DEPLOY_FAILED", status_message: "no answer" });
    const revisions = [newer, aRevision({ status: "SKIPPED" })];
    const text = (await told({ revisions })).replace(/after \d+ s/, "after N s");
    expect(text).to
      .equal(`deployment 'support': revision ${NEWER} ended with DEPLOY_FAILED after N s: no answer
      none of its revisions serves
      ${NEXT}`);
  });

  it("distinguishes a newer revision that serves from the one before", async () => {
    const revisions = [aRevision({ id: NEWER }), failed, aRevision({ id: OLDER })];
    const serving = async (active_revision_id: string) => {
      const text = await told({ revisions, deployment: { active_revision_id } });
      await server.close();
      return text;
    };
    expect(await serving(NEWER)).to.contain(`\n      a newer revision, ${NEWER}, serves`);
    expect(await serving(OLDER)).to.contain(
      `\n      the previous revision, ${OLDER}, still serves`,
    );
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
    expect(await told(shown, { ...GIT_INPUTS, smokeCheck: true })).to
      .equal(`deployment 'support': the revision is deployed, but the smoke check of its agent server failed: the control plane names no URL of the deployment
      run \`pulumi up\` again: it checks the same revision and creates none
      for another revision of the same values run \`pulumi-agentserver redeploy support\` or change \`redeployOn\`, then run \`pulumi up\``);
  });
});
