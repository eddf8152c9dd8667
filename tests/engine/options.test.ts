import type { CustomResourceOptions } from "@pulumi/pulumi";
import { expect } from "chai";
import { expectDone } from "../support/run";
import { describeFrontEnds } from "../support/front-ends";
import { type TestStack, useStack } from "../support/engine";
import type { TestPlatform } from "../support/platform";
import { gitArgs, programOf } from "../support/program";

const IGNORE_REF = { ignoreChanges: ["sourceRevisionConfig.repoRef"] };

describeFrontEnds(
  "resource options on the real engine",
  (frontEnd) => {
    let test: TestPlatform;
    let stack: TestStack;

    const declaration = (level: string, options: CustomResourceOptions, repoRef = "main") => ({
      args: {
        ...gitArgs(test),
        sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
        env: { LOG_LEVEL: level },
      },
      options,
    });
    /** Somebody else moves the ref of the deployment that ignores it. */
    const moveRef = async (id: string, ref: string) => {
      await test.request("PATCH", `/v2/deployments/${id}`, {
        source_revision_config: { repo_ref: ref },
      });
      await test.untilRevision(id, "DEPLOYED");
    };
    const live = async (name: string) => test.get((await stack.deployment(name)).id);

    useStack({ frontEnd }, async (made) => {
      ({ test, stack } = made);
      const program = programOf({
        ignoring: declaration("info", IGNORE_REF),
        guarded: declaration("info", { protect: true }),
        kept: declaration("info", { retainOnDelete: true }),
      });
      stack.program = program;
      await stack.up();
    });

    it("ignoreChanges: another change does not put back a ref that another client changed", async () => {
      await moveRef((await stack.deployment("ignoring")).id, "elsewhere");
      stack.program = programOf({
        ignoring: declaration("debug", IGNORE_REF),
        guarded: declaration("debug", { protect: true }),
        kept: declaration("debug", { retainOnDelete: true }),
      });
      await expectDone(stack.up({ target: [stack.urn("ignoring")] }));
      const { source_revision_config: source, secrets } = await live("ignoring");
      expect(source.repo_ref).to.equal("elsewhere");
      expect(secrets).to.deep.equal([{ name: "LOG_LEVEL", value: "debug" }]);
    });

    it("--target: leaves alone what is not named", async () => {
      for (const name of ["guarded", "kept"])
        expect((await live(name)).secrets).to.deep.equal([{ name: "LOG_LEVEL", value: "info" }]);
    });

    it("ignoreChanges: nor after a refresh has seen it", async () => {
      await moveRef((await stack.deployment("ignoring")).id, "further");
      stack.program = programOf({
        ignoring: declaration("warn", IGNORE_REF, "next"),
        guarded: declaration("info", { protect: true }),
      });
      const { steps } = await expectDone(stack.up({ refresh: true }));
      expect(steps).to.include({ ignoring: "update", guarded: "same" });
      const { source_revision_config: source, secrets } = await live("ignoring");
      expect(source.repo_ref).to.equal("further");
      expect(secrets).to.deep.equal([{ name: "LOG_LEVEL", value: "warn" }]);
    });

    it("retainOnDelete: a deployment removed from the program stays on the control plane", async () => {
      expect((await stack.deployments()).map(({ name }) => name)).to.have.members([
        "ignoring",
        "guarded",
      ]);
      const kept = (await test.deployments()).filter(({ name }) => name.includes("kept"));
      expect(kept).to.have.length(1);
    });

    it("protect: a destroy is refused and deletes nothing", async () => {
      const { ok, text } = await stack.destroy();
      expect(ok).to.equal(false);
      expect(text).to.contain(stack.urn("guarded")).and.contain("it is protected");
      expect((await live("guarded")).status).to.equal("READY");
    });
  },
  { dynamic: "long", native: "nightly" },
);
