import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { aClock, aDeployment, aRevision, variablesOf } from "../../support/builders";
import { type Made, useDeployments } from "../../support/deployment-lifecycle";
import { contextOf } from "../../support/lifecycle";
import { reasonOf, rejection } from "../../support/rejection";
import type { Deployment, Revision } from "pulumi-agentserver/sdk";
import { awaitRollout } from "../../../provider/deployment/rollout/await";
import { useControlPlane } from "../../support/control-plane";
import { json } from "../../support/http";
import { GIT_INPUTS } from "../../support/inputs";
import { accepted, aTarget } from "../../support/deployment";
import { anOperation } from "../../support/operation";
import { outputsAfter } from "../../../provider/deployment/service/outputs";

const NOBODY = "55555555-5555-4555-8555-555555555555";

describe("the message of a failed deployment", () => {
  const stack = useDeployments();
  const slow = useDeployments({ stageSeconds: 3600 });
  /** A context whose waits take none of the real time. */
  const slowly = () => ({ ...slow.context(), clock: aClock() });
  const named = (name: string, more: Props = {}) => stack.git("main", { name, ...more });
  const moveOn = (made: Made) => stack.update(made, stack.git("next", { name: made.outs["name"] }));
  /** The text that the command line prints, ids, addresses and times being others each time. */
  const told = async (work: Promise<unknown>): Promise<string> => {
    const { message } = await rejection(work);
    const { url, workspaceId } = stack.test.platform;
    return message
      .replaceAll(url, "<url>")
      .replaceAll(workspaceId, "<workspace>")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
      .replace(/\b[0-9a-f]{40}\b/g, "<commit>")
      .replace(/after \d+ s/g, "after N s");
  };

  describe("by a revision", () => {
    it("that did not start, the one before still serving", async () => {
      const made = await stack.create(named("second"));
      stack.fails("DEPLOY_FAILED", "it died");
      expect(await told(moveOn(made))).to
        .equal(`deployment 'second': revision <id> ended with DEPLOY_FAILED after N s
      the previous revision, <id>, still serves
      the deploy log ends with
        | it died
      fix the cause and run \`pulumi up\` again; it creates one new revision of deployment <id>
      to go back to revision <id>, tag its commit <commit> and declare repoRef: "refs/tags/<the tag>"`);
    });
  });

  describe("by the control plane", () => {
    it("that does not know the key", async () => {
      const where = contextOf(stack.test.platform, [], { "agentserver:apiKey": "wrong-CANARY" });
      expect(await told(stack.create(named("a"), where))).to.match(
        /^create deployment 'a': list deployments: 401 unknown API key; check agentserver:apiKey .*, then run `pulumi up`$/,
      );
    });

    it("that keeps the name of a deleted deployment", async () => {
      stack.admin.addLeftoverName("left");
      expect(await told(stack.create(named("left")))).to.match(
        /^create deployment 'left': 409 .* exists already: left; no deployment has this name: .*; choose another name$/,
      );
    });

    it("that is still deleting the one of this name", async () => {
      const { id } = await slow.test.create({ name: "leaving" });
      await slow.test.request("DELETE", `/v2/deployments/${id}`);
      const declared = slow.git("main", { name: "leaving", wait: { timeoutSeconds: 60 } });
      const { workspaceId: tenantId } = slow.test.platform;
      const outs = { ...(await slow.checked(declared)), id, tenantId };
      expect(await told(slow.create(declared, slowly()))).to.match(
        /^create deployment 'leaving': deployment <id>, which has this name, is being deleted: timed out after N s, still AWAITING_DELETE; run the same command again/,
      );
      expect(await told(slow.update({ id, outs }, declared, slowly()))).to.match(
        /^update deployment 'leaving': <id> is being deleted on the control plane; once it is gone, run `pulumi refresh`/,
      );
      expect(await told(lifecycle.delete(id, outs, slowly()))).to.match(
        /^delete deployment 'leaving' \(<id>\): timed out after N s, still AWAITING_DELETE; run the same command again; .* deletes nothing twice$/,
      );
      for (const work of [
        () => slow.create(declared, slowly()),
        () => lifecycle.delete(id, outs, slowly()),
      ])
        expect(await reasonOf(Promise.resolve(work()))).to.contain("after 60 s");
    });
  });

  it("says of a deployment that is not there where it was looked for, and what to do now", async () => {
    const { outs } = await stack.create(named("gone"));
    expect(await told(moveOn({ id: NOBODY, outs }))).to.match(
      /^update deployment 'gone': <id> no longer exists; run `pulumi refresh`, then `pulumi up`/,
    );
    const olds = { ...outs, baseUrl: "https://old.example.com" };
    expect(await told(moveOn({ id: NOBODY, outs: olds }))).to.match(
      /^find deployment '<id>': the state records it at https:\/\/old.example.com in workspace <workspace>, but the settings name <url> and workspace <workspace>; nothing was changed; restore agentserver:baseUrl.* `pulumi state delete 'urn:\S+::support'`$/,
    );
    expect(await told(stack.read({ id: NOBODY, outs: {} }))).to.equal(
      "get deployment '<id>': it does not exist in workspace <workspace> of <url>",
    );
  });
});

const OURS = aRevision().id;
const NEWER = "44444444-4444-4444-8444-444444444444";
const OLDER = "22222222-2222-4222-8222-222222222222";

describe("what is reported of a revision that does not run", () => {
  const plane = useControlPlane();
  interface Shown {
    readonly revisions?: readonly Partial<Revision>[];
    readonly deployment?: Partial<Deployment>;
    /** The statuses of the revision before. */
    readonly stages?: string[];
    /** Undefined where it has no logs. */
    readonly log?: readonly string[];
  }

  const told = async (shown: Shown, inputs: Props = GIT_INPUTS, formerSecrets: string[] = []) => {
    const deployment = { active_revision_id: null, ...shown.deployment };
    const url = await plane.serve({
      deployment: () => deployment,
      revisions() {
        const status = shown.stages?.shift();
        return status === undefined ? (shown.revisions ?? [failed]) : [{ status }];
      },
      log: () => shown.log ?? 404,
    });
    const operation = anOperation(url);
    const target = { ...aTarget(inputs), formerSecrets };
    const result = awaitRollout(operation, target, accepted(aDeployment(deployment), OURS));
    return await reasonOf(outputsAfter(operation, target, result));
  };
  const failed = { status: "BUILD_FAILED" };

  it("holds no secret of the program, of others, or of the time before, and every plain value", async () => {
    const secrets = variablesOf({ OPEN: "value-in-clear", THEIRS: "CANARY-theirs" });
    const inputs = {
      ...GIT_INPUTS,
      env: { OPEN: "value-in-clear" },
      secrets: { OURS: "CANARY-ours" },
      smokeCheck: { apiKey: "CANARY-key" },
    };
    const log = ["CANARY-ours CANARY-theirs CANARY-before CANARY-key value-in-clear"];
    const text = await told({ deployment: { secrets }, log }, inputs, ["CANARY-before"]);
    expect(text).to.contain("| [secret] [secret] [secret] [secret] value-in-clear");
    expect(text).not.to.contain("CANARY");
  });

  it("quotes the last 30 lines of the log", async () => {
    const log = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
    expect((await told({ log })).match(/(?<=\| ).*/g)).to.deep.equal(log.slice(10));
  });

  it("quotes no line of the log that the reason has, or a line of the log that gives the cause", async () => {
    const cause = "'npm ci' exited with code 1: npm error no such package";
    const log = ["$ npm ci", "npm error code E404", "npm error no such package", "npm error see x"];
    const lines = async (status_message: string | null, logged: readonly string[]) => {
      const text = await told({ revisions: [{ ...failed, status_message }], log: logged });
      return text.match(/(?<=\| ).*/g);
    };
    expect(await lines(`${cause}\nnpm error see x`, log)).to.deep.equal(log.slice(0, 2));
    expect(await lines(`${cause}\nnpm error see x`, log.slice(2))).to.equal(null);
    const once = log.filter((line) => line !== "npm error no such package");
    expect(await lines(null, [...log, cause])).to.deep.equal([...once, cause]);
  });

  it("quotes the beginning of a long reason and of a long line, and no half of a secret", async () => {
    const long = `${"x".repeat(1_995)}CANARY-before${"x".repeat(1_000_000)}`;
    const revisions = [{ ...failed, status_message: long }];
    const text = await told({ revisions, log: [`${long}x`] }, GIT_INPUTS, ["CANARY-before"]);
    expect(text.match(/ … \(\d+ more characters\)/g)).to.have.length(2);
    expect(text).not.to.contain("CAN");
    expect(text.length).to.be.below(5_000);
  });

  const LOST = { status: "DEPLOY_FAILED", status_message: "no answer" };
  const STOPPED = { status: "INTERRUPTED", status_message: "stopped by ann@example.com" };
  const LISTED = [{ id: NEWER }, failed, { id: OLDER }];
  const MANY = Array.from({ length: 9 }, (_, at) => ({ id: OLDER.replace("2", `${at}`) }));
  const UNLISTED = [...MANY, { id: NEWER }, failed];
  const NONE = "none of its revisions serves";
  const FORMER = `the previous revision, ${OLDER}, still serves`;
  const LATER = `a newer revision, ${NEWER}, serves`;
  const SKIPPED = [{ id: NEWER, ...LOST }, { status: "SKIPPED" }];
  const STOPPING = /was interrupted on the control plane after \d+ s: stopped by ann@example.com$/;
  const LOSING = /44444444\S+ ended with DEPLOY_FAILED after \d+ s: no answer$/;
  const rows: [string, Partial<Revision>[], string | null, RegExp, string][] = [
    ["no log", [failed], null, /ended with BUILD_FAILED after \d+ s$/, NONE],
    ["itself, which failed", [failed], OURS, /BUILD_FAILED/, NONE],
    ["the service's own words", [STOPPED], OLDER, STOPPING, FORMER],
    ["the newer revision that ours was skipped for", SKIPPED, null, LOSING, NONE],
    ["a newer one that serves", LISTED, NEWER, /BUILD_FAILED/, LATER],
    ["a newer one, of so many that ours is not listed", UNLISTED, NEWER, /BUILD_FAILED/, LATER],
    ["the former one that serves, beside a newer one", LISTED, OLDER, /BUILD_FAILED/, FORMER],
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

  it("quotes the log of the stage that was interrupted", async () => {
    const text = await told({ stages: ["DEPLOYING"], revisions: [STOPPED], log: ["a line"] });
    expect(text).to.contain("the deploy log ends with");
  });

  it("takes a revision that answers the smoke check for none of those before it", async () => {
    let url = "";
    const refused = (path: string) => !path.startsWith("/v2/") && path !== "/info";
    url = await plane.serve({
      deployment: () => ({ url }),
      revisions: () => [{}, { id: OLDER }],
      meddle({ url: path }, response) {
        if (path === "/info") json(response, 200, { host: { revision_id: OURS } });
        if (refused(path)) json(response, 403, { detail: "a key is missing" });
        return path === "/info" || refused(path);
      },
    });
    const target = aTarget({ ...GIT_INPUTS, smokeCheck: true });
    expect(
      await reasonOf(awaitRollout(anOperation(url), target, accepted(aDeployment({ url }), OURS))),
    ).to.contain("403 a key is missing");
  });

  it("promises no new revision where there is no image to make one of", async () => {
    const text = await told({}, { source: "internal_container" });
    expect(text).to.contain(
      "there is no image yet to create a new revision from: push one, set `sourceRevisionConfig.imageUri`",
    );
    expect(text).not.to.contain("it creates one new revision");
  });

  it("says of a failed smoke check what to do now", async () => {
    const deployment = { active_revision_id: OURS, name: "support", url: null };
    const shown = { revisions: [{}], deployment };
    expect(await told(shown, { ...GIT_INPUTS, smokeCheck: true })).to.match(
      /^deployment 'support': the revision is deployed, but the smoke check .* failed: the control plane names no URL.*\n.*`pulumi up` again: it checks the same revision and creates none\n.*`pulumi-agentserver redeploy support` or change `redeployOn`/,
    );
  });
});
