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
const SECRET = "value-CANARY-of-a-secret";

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
  const wrong = (config: Record<string, string>) => contextOf(test.platform, [], config);
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
  const outcome = (
    stage: "build" | "deploy",
    status: "BUILD_FAILED" | "DEPLOY_FAILED" | "INTERRUPTED",
    reason: string,
  ) => test.platform.admin.addOutcome({ stage, status, reason });

  describe("by a revision", () => {
    it("that was the first and did not build, without a secret in the log", async () => {
      outcome("build", "BUILD_FAILED", `npm ERR! missing module\nseen ${SECRET}`);
      const inputs = await inputsOf("first", "main", { smokeCheck: { apiKey: SECRET } });
      expect(await told(lifecycle.create(inputs, contextOf(test.platform)))).to
        .equal(`deployment 'first': revision <id> ended with BUILD_FAILED after N s
      none of its revisions serves
      the build log ends with
        | simulated: nothing runs, this stage takes 0.01 s
        | npm ERR! missing module
        | seen [secret]
      fix the cause and run \`pulumi up\` again; it creates one new revision of deployment <id>`);
    });

    it("that did not start, the one before still serving", async () => {
      const made = await create("second");
      outcome("deploy", "DEPLOY_FAILED", "it died");
      expect(await told(moveOn(made, "next"))).to
        .equal(`deployment 'second': revision <id> ended with DEPLOY_FAILED after N s
      the previous revision, <id>, still serves
      the deploy log ends with
        | it died
      fix the cause and run \`pulumi up\` again; it creates one new revision of deployment <id>
      to go back to revision <id>, tag its commit <commit> and declare repoRef: "refs/tags/<the tag>"`);
    });

    it("that another client interrupted", async () => {
      const made = await create("stopped");
      outcome("build", "INTERRUPTED", "interrupted by ann@example.com");
      expect(await told(moveOn(made, "next"))).to.match(
        /^deployment 'stopped': revision <id> was interrupted on the control plane( while it was \w+)? after N s\n {6}the previous revision, <id>, still serves\n {6}the build log ends with\n.*\n {8}\| interrupted by ann@example.com\n {6}fix the cause and run `pulumi up` again; it creates one new revision of deployment <id>\n {6}to go back to revision <id>, tag its commit <commit> and declare repoRef: "refs\/tags\/<the tag>"$/,
      );
    });

    it("that is still going at the end of the time", async () => {
      const inputs = await inputsOf("long", "main", {
        ...gitArgs(slow),
        wait: { timeoutSeconds: 60 },
      });
      expect(await told(lifecycle.create(inputs, slowly()))).to
        .equal(`timed out after N s: deployment 'long': revision <id> is still CREATING
      none of its revisions serves
      run \`pulumi up\` again; it waits for the same revision and creates no other; \`wait.timeoutSeconds\` gives it more time`);
    });

    it("that was accepted and can't be followed", async () => {
      const match = { method: "GET", path: "/v2/deployments/*/revisions/*" };
      const body = { detail: "the key was taken back" };
      test.platform.admin.addFault({ match, times: 1, action: "status", status: 401, body });
      expect(await told(create("followed"))).to
        .equal(`deployment 'followed' was accepted as <id>, but it could not be followed: get revision '<id>': 401 the key was taken back; check agentserver:apiKey (\`pulumi config set --secret agentserver:apiKey <key>\`, or AGENTSERVER_API_KEY)
      run \`pulumi up\` again; it waits for the same revision and creates no other`);
    });
  });

  describe("by the control plane", () => {
    it("that does not know the key", async () =>
      expect(await told(create("a", wrong({ "agentserver:apiKey": "wrong-CANARY" })))).to.equal(
        "create deployment 'a': list deployments: 401 unknown API key; check agentserver:apiKey (`pulumi config set --secret agentserver:apiKey <key>`, or AGENTSERVER_API_KEY), then run `pulumi up`",
      ));

    it("that gives the key no right to the workspace", async () => {
      const { workspaceId } = test.platform.admin.addWorkspace("other");
      expect(await told(create("a", wrong({ "agentserver:workspaceId": workspaceId })))).to.equal(
        "create deployment 'a': list deployments: 403 the API key does not belong to workspace <id> (X-Tenant-Id); check that the key has access to workspace <id> (agentserver:workspaceId)",
      );
    });

    it("that can't be reached", async () =>
      expect(
        await told(create("a", wrong({ "agentserver:baseUrl": "http://127.0.0.1:9" }))),
      ).to.equal(
        "create deployment 'a': list deployments: no connection to http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9; check that the control plane is running and agentserver:baseUrl is right",
      ));

    it("that fails again and again", async () => {
      const body = { detail: "maintenance until noon" };
      test.platform.admin.addFault({ match: {}, times: 9, action: "status", status: 503, body });
      expect(await told(create("a"))).to.equal(
        "create deployment 'a': list deployments: 503 maintenance until noon; try again later",
      );
    });

    it("that finds arguments wrong, by the paths that the user wrote", async () => {
      const detail = [
        { loc: ["body", "source_config", "repo_url"], msg: "not seen by it", type: "value_error" },
        {
          loc: ["body", "source_revision_config", "repo_ref"],
          msg: "no such ref",
          type: "missing",
        },
      ];
      const match = { method: "POST" };
      test.platform.admin.addFault({ match, action: "status", status: 422, body: { detail } });
      expect(await told(create("a"))).to.equal(
        "create deployment 'a': sourceConfig.repoUrl: not seen by it; sourceRevisionConfig.repoRef: no such ref",
      );
    });

    it("that has a deployment of this name", async () => {
      await test.create({ name: "taken" });
      expect(await told(create("taken"))).to.equal(
        "create deployment 'taken': deployment <id> has this name already, and the state of this stack records neither it nor an interrupted create of this resource; it has what is declared; to adopt it, set adoptExisting: true until it is adopted; if another resource or stack has it, a destroy of either then deletes its threads and database; else choose another name",
      );
    });

    it("that keeps the name of a deleted deployment", async () => {
      test.platform.admin.addLeftoverName("left");
      expect(await told(create("left"))).to.equal(
        "create deployment 'left': 409 a tracing project of this name exists already: left; no deployment has this name: a deleted one leaves its tracing project behind; choose another name",
      );
    });

    it("that is still deleting the one of this name", async () => {
      const { id } = await slow.create({ name: "leaving" });
      await slow.request("DELETE", `/v2/deployments/${id}`);
      const more = { ...gitArgs(slow), wait: { timeoutSeconds: 60 } };
      const inputs = await inputsOf("leaving", "main", more);
      expect(await told(lifecycle.create(inputs, slowly()))).to.equal(
        "create deployment 'leaving': deployment <id>, which has this name, is being deleted: timed out after N s, still AWAITING_DELETE; run the same command again; it continues to wait and deletes nothing twice",
      );
      const outs = { ...inputs, id, tenantId: slow.platform.workspaceId };
      expect(await told(lifecycle.update(id, outs, inputs, slowly()))).to.equal(
        "update deployment 'leaving': <id> is being deleted on the control plane; once it is gone, run `pulumi refresh`, then `pulumi up` to recreate it",
      );
      expect(await told(lifecycle.delete(id, outs, slowly()))).to.equal(
        "delete deployment 'leaving' (<id>): timed out after N s, still AWAITING_DELETE; run the same command again; it continues to wait and deletes nothing twice",
      );
    });
  });

  describe("by a deployment that is not there", () => {
    it("at an update", async () => {
      const { outs } = await create("gone");
      expect(await told(moveOn({ id: NOBODY, outs }, "next"))).to.equal(
        "update deployment 'gone': <id> no longer exists; run `pulumi refresh`, then `pulumi up` to recreate it",
      );
    });

    it("at another address than the state's", async () => {
      const { outs } = await create("moved");
      const olds = { ...outs, baseUrl: "https://old.example.com" };
      expect(await told(moveOn({ id: NOBODY, outs: olds }, "next"))).to.equal(
        "find deployment '<id>': the state records it at https://old.example.com in workspace <workspace>, but the settings name <url> and workspace <workspace>; nothing was changed; restore agentserver:baseUrl and agentserver:workspaceId; `pulumi refresh` and `pulumi destroy` use the configuration of the last run of the program: after a change run `pulumi up` first, or add --run-program; if it is gone for good, remove the resource from the state with `pulumi state delete 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::support'`",
      );
    });

    it("when it is read by its id", async () =>
      expect(await told(lifecycle.read(NOBODY, {}, contextOf(test.platform)))).to.equal(
        "get deployment '<id>': it does not exist in workspace <workspace> of <url>",
      ));
  });
});
