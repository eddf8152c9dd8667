import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Context } from "../../../provider/resource/context";
import type { Props } from "../../../provider/arguments/props";
import { aClock } from "../../support/builders";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { rejection } from "../../support/rejection";

const NOBODY = "55555555-5555-4555-8555-555555555555";
const WRONG_KEY = { "agentserver:apiKey": "wrong-CANARY" };

describe("the message of a failed deployment", () => {
  let test: TestPlatform;
  let slow: TestPlatform;
  before(async () => {
    test = await startTestPlatform();
    slow = await startTestPlatform({ stageSeconds: 3600 });
  });
  after(() => Promise.all([test.close(), slow.close()]));
  afterEach(() => test.platform.admin.clearFaults());

  const inputsOf = async (name: string, repoRef = "main", more: object = {}): Promise<Props> => {
    const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
    const news = { ...gitArgs(test), sourceRevisionConfig, name, ...more };
    return (await lifecycle.check({}, news, contextOf(test.platform))).inputs ?? {};
  };
  const create = async (name: string, context: Context = contextOf(test.platform)) =>
    lifecycle.create(await inputsOf(name), context);
  /** A context whose waits take none of the real time. */
  const slowly = (): Context => ({ ...contextOf(slow.platform), clock: aClock() });
  const moveOn = async ({ id, outs }: { id: string; outs: Props }, repoRef: string) =>
    lifecycle.update(
      id,
      outs,
      await inputsOf(String(outs["name"]), repoRef),
      contextOf(test.platform),
    );
  /** The text that the command line prints, ids, addresses and times being others each time. */
  const told = async (work: Promise<unknown>): Promise<string> => {
    const error = await rejection(work);
    const { url, workspaceId } = test.platform;
    return error.message
      .replaceAll(url, "<url>")
      .replaceAll(workspaceId, "<workspace>")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
      .replace(/\b[0-9a-f]{40}\b/g, "<commit>")
      .replace(/after \d+ s/g, "after N s");
  };
  const outcome = (reason: string) =>
    test.platform.admin.addOutcome({ stage: "deploy", status: "DEPLOY_FAILED", reason });

  describe("by a revision", () => {
    it("that did not start, the one before still serving", async () => {
      const made = await create("second");
      outcome("it died");
      expect(await told(moveOn(made, "next"))).to
        .equal(`deployment 'second': revision <id> ended with DEPLOY_FAILED after N s
      the previous revision, <id>, still serves
      the deploy log ends with
        | it died
      fix the cause and run \`pulumi up\` again; it creates one new revision of deployment <id>
      to go back to revision <id>, tag its commit <commit> and declare repoRef: "refs/tags/<the tag>"`);
    });

    it("that is still going at the end of the time", async () => {
      const more = { ...gitArgs(slow), wait: { timeoutSeconds: 60 } };
      const inputs = await inputsOf("long", "main", more);
      expect(await told(lifecycle.create(inputs, slowly()))).to.match(
        /^timed out after N s: deployment 'long': revision <id> is still CREATING\n +none of its revisions serves\n.*waits for the same revision and creates no other; `wait.timeoutSeconds` gives/,
      );
    });
  });

  describe("by the control plane", () => {
    it("that does not know the key", async () =>
      expect(await told(create("a", contextOf(test.platform, [], WRONG_KEY)))).to.match(
        /^create deployment 'a': list deployments: 401 unknown API key; check agentserver:apiKey .*, then run `pulumi up`$/,
      ));

    it("that keeps the name of a deleted deployment", async () => {
      test.platform.admin.addLeftoverName("left");
      expect(await told(create("left"))).to.match(
        /^create deployment 'left': 409 .* exists already: left; no deployment has this name: .*; choose another name$/,
      );
    });

    it("that is still deleting the one of this name", async () => {
      const { id } = await slow.create({ name: "leaving" });
      await slow.request("DELETE", `/v2/deployments/${id}`);
      const more = { ...gitArgs(slow), wait: { timeoutSeconds: 60 } };
      const inputs = await inputsOf("leaving", "main", more);
      const outs = { ...inputs, id, tenantId: slow.platform.workspaceId };
      expect(await told(lifecycle.create(inputs, slowly()))).to.match(
        /^create deployment 'leaving': deployment <id>, which has this name, is being deleted: timed out after N s, still AWAITING_DELETE; run the same command again/,
      );
      expect(await told(lifecycle.update(id, outs, inputs, slowly()))).to.match(
        /^update deployment 'leaving': <id> is being deleted on the control plane; once it is gone, run `pulumi refresh`/,
      );
      expect(await told(lifecycle.delete(id, outs, slowly()))).to.match(
        /^delete deployment 'leaving' \(<id>\): timed out after N s, still AWAITING_DELETE; run the same command again; .* deletes nothing twice$/,
      );
    });
  });

  it("says of a deployment that is not there where it was looked for, and what to do now", async () => {
    const { outs } = await create("gone");
    expect(await told(moveOn({ id: NOBODY, outs }, "next"))).to.match(
      /^update deployment 'gone': <id> no longer exists; run `pulumi refresh`, then `pulumi up`/,
    );
    const olds = { ...outs, baseUrl: "https://old.example.com" };
    expect(await told(moveOn({ id: NOBODY, outs: olds }, "next"))).to.match(
      /^find deployment '<id>': the state records it at https:\/\/old.example.com in workspace <workspace>, but the settings name <url> and workspace <workspace>; nothing was changed; restore agentserver:baseUrl.* `pulumi state delete 'urn:\S+::support'`$/,
    );
    expect(await told(lifecycle.read(NOBODY, {}, contextOf(test.platform)))).to.equal(
      "get deployment '<id>': it does not exist in workspace <workspace> of <url>",
    );
  });
});
