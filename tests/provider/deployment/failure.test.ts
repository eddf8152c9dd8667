import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { aClock } from "../../support/builders";
import { type Made, useDeployments } from "../../support/deployment-lifecycle";
import { contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";

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

    it("that is still going at the end of the time", async () => {
      const declared = slow.git("main", { name: "long", wait: { timeoutSeconds: 60 } });
      expect(await told(slow.create(declared, slowly()))).to.match(
        /^timed out after N s: deployment 'long': revision <id> is still CREATING\n +none of its revisions serves\n.*waits for the same revision and creates no other; `wait.timeoutSeconds` gives/,
      );
    });
  });

  describe("by the control plane", () => {
    it("that does not know the key", async () => {
      const wrong = { "agentserver:apiKey": "wrong-CANARY" };
      const where = contextOf(stack.test.platform, [], wrong);
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
