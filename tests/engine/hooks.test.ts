import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, programOf } from "../support/program";

describeFrontEnds(
  "a hook of the program that retries what failed",
  (frontEnd) => {
    let test: TestPlatform;
    let stack: TestStack;

    const declare = (repoRef: string) => {
      const hook = new pulumi.ErrorHook("retry", ({ errors }) => errors.length === 1);
      const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
      return programOf({
        support: {
          args: { ...gitArgs(test), sourceRevisionConfig },
          options: { hooks: { onError: [hook] } },
        },
      });
    };
    const sent = (request: string) => test.platform.admin.requests()[request] ?? 0;

    before(async function () {
      // The oldest SDKs have none.
      if (!Reflect.has(pulumi, "ErrorHook")) this.skip();
      test = await startTestPlatform();
      stack = await TestStack.create(settingsFor(test.platform), async () => undefined, frontEnd);
    });
    after(async () => {
      await stack?.remove();
      await test?.close();
    });

    for (const [verb, repoRef, requests] of [
      ["create", "main", { POST: 1, PATCH: 1 }],
      ["update", "next", { POST: 0, PATCH: 2 }],
    ] as const)
      it(`continues the ${verb} with one new revision, keeps its id, and says what Pulumi keeps in the state`, async () => {
        stack.program = async (sdk) => declare(repoRef)(sdk);
        test.platform.admin.clearRequests();
        test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
        const { ok, text } = await stack.up();
        expect(ok, text).to.equal(true);
        const { id, outputs, initErrors } = await stack.deployment();
        // Of a create, newer engines keep none.
        expect(text.includes("Pulumi keeps the error of the first attempt in the state")).to.equal(
          initErrors.length > 0,
        );
        if (verb === "update") expect(initErrors).to.have.length(1);
        expect(outputs).to.include({ ready: true });
        expect((await test.get(id)).source_revision_config.repo_ref).to.equal(repoRef);
        expect({
          POST: sent("POST /v2/deployments"),
          PATCH: sent("PATCH /v2/deployments/{deployment_id}"),
        }).to.deep.equal(requests);
        const next = await stack.up();
        expect(next.ok, next.text).to.equal(true);
        expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
        expect(sent("PATCH /v2/deployments/{deployment_id}")).to.equal(requests.PATCH);
      });
  },
  { dynamic: "long" },
);

describeFrontEnds(
  "hooks of the program in front of and after each step",
  (frontEnd) => {
    it("run around the wait for the revision and for the deletion; one that throws stops the step", async () => {
      const test = await startTestPlatform();
      const stack = await TestStack.create(
        settingsFor(test.platform),
        async () => undefined,
        frontEnd,
      );
      try {
        const ran: string[] = [];
        const program = (repoRef: string, isStopped = false) => {
          const hook = (name: string) =>
            new pulumi.ResourceHook(name, ({ newOutputs }) => {
              ran.push([name, ...(newOutputs ? [`ready: ${newOutputs["ready"]}`] : [])].join(", "));
              if (isStopped) throw new Error("not on a Friday");
            });
          const hooks = {
            beforeCreate: [hook("before create")],
            afterCreate: [hook("after create")],
            beforeUpdate: [hook("before update")],
            afterUpdate: [hook("after update")],
            beforeDelete: [hook("before delete")],
            afterDelete: [hook("after delete")],
          };
          const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
          const args = { ...gitArgs(test), sourceRevisionConfig };
          return programOf({ support: { args, options: { hooks } } });
        };
        stack.program = async (sdk) => program("main")(sdk);
        expect((await stack.up()).ok).to.equal(true);
        const { id } = await stack.deployment();
        expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
        stack.program = async (sdk) => program("next", true)(sdk);
        const { ok, text } = await stack.up();
        expect(ok).to.equal(false);
        expect(text).to.contain("not on a Friday");
        expect(await test.revisions(id)).to.have.length(1);
        stack.program = async (sdk) => program("next")(sdk);
        expect((await stack.up()).ok).to.equal(true);
        expect((await stack.destroy({ runProgram: true })).ok).to.equal(true);
        expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
        expect(ran).to.deep.equal([
          "before create",
          "after create, ready: true",
          "before update",
          "before update",
          "after update, ready: true",
          "before delete",
          "after delete",
        ]);
      } finally {
        await stack.remove();
        await test.close();
      }
    });
  },
  { dynamic: "long" },
);
