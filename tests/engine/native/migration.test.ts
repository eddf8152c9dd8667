import { join } from "node:path";
import { runInNewContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { makeRepository, type Repository } from "../../local/repository";
import { blocksOf } from "../../support/by-hand";
import { expectDone } from "../../support/run";
import { DYNAMIC, NATIVE, type FrontEnd } from "../../support/front-ends";
import { useStack } from "../../support/engine";
import { OAUTH_INPUTS } from "../../support/inputs";
import { gitArgs } from "../../support/program";
import { describeLong } from "../../support/tiers";

const SECRET = "value-CANARY-of-a-secret";

describeLong("a stack that moves from one front end to the other", () => {
  /** The documented program that makes resources of the native provider those of the dynamic one. */
  let goBack = "";
  let repository: Repository;

  const declare = (frontEnd: FrontEnd, level = "info") => {
    stack.frontEnd = frontEnd;
    stack.program = async ({ Deployment, Listener, OAuthProvider, Thread }) => {
      if (frontEnd === DYNAMIC) runInNewContext(goBack, { pulumi });
      const args = {
        ...gitArgs(test, { repoUrl: repository.url }),
        env: { LOG_LEVEL: level },
        secrets: { MODEL_API_KEY: SECRET },
      };
      const support = new Deployment("support", args, { protect: true });
      const team = new pulumi.ComponentResource("shop:index:Team", "team");
      new Deployment("inner", args, { parent: team });
      const metadata = { team: "a" };
      new Thread("fixture", { deploymentUrl: support.url, metadata }, { parent: support });
      const computeConfig = { k8sNamespaces: ["agents"] };
      new Listener("cluster", { computeType: "k8s", computeId: "c-1", computeConfig });
      new OAuthProvider("tracker", { ...OAUTH_INPUTS, clientSecret: SECRET });
      return { url: support.url };
    };
  };
  const ids = async () =>
    Object.fromEntries((await stack.resources()).map(({ name, id }) => [name, id]));
  const types = async () =>
    new Set((await stack.stored()).map(({ urn }) => urn.split("::")[2]?.split("$").at(-1)));

  const { test, stack } = useStack({ driver: "process" }, async () => {
    repository = await makeRepository(join(test.dataDir, "repository"));
    goBack = (await blocksOf("docs/native.md", "Move it back", "ts"))[1] ?? "";
  });

  const ALL = ["support", "inner", "fixture", "cluster", "tracker"];
  const steps = (step: string) => Object.fromEntries(ALL.map((name) => [name, step]));
  let made: Record<string, string> = {};

  it("becomes one of the native provider without a change", async () => {
    declare(DYNAMIC);
    await expectDone(stack.up());
    made = await ids();
    declare(NATIVE);
    const preview = await stack.preview({ diff: true });
    expect(preview.steps, preview.text).to.deep.equal(steps("same"));
    test.platform.admin.clearRequests();
    const { text, steps: taken } = await expectDone(stack.up());
    expect(taken, text).to.deep.equal(steps("same"));
    expect(await ids()).to.deep.equal(made);
    expect([...(await types())].join()).not.to.contain("dynamic/agentserver");
  });

  it("is refreshed, changed and refreshed again there, its threads and secrets as they were", async () => {
    for (const level of ["info", "debug"]) {
      declare(NATIVE, level);
      await expectDone(stack.up());
      await expectDone(stack.refresh());
      const preview = await stack.preview({ diff: true });
      expect(preview.steps, preview.text).to.deep.equal(steps("same"));
    }
    expect(await ids()).to.deep.equal(made);
    expect(await stack.stateFiles()).not.to.contain(SECRET);
  });

  it("goes back by the documented transform, is updated once without a request that changes anything, and lives on", async () => {
    declare(DYNAMIC, "debug");
    const preview = await expectDone(stack.preview({ diff: true }));
    expect(preview.text).not.to.contain("replace");
    test.platform.admin.clearRequests();
    await expectDone(stack.up());
    const sent = Object.keys(test.platform.admin.requests()).filter((it) => !it.startsWith("GET"));
    expect(sent).to.deep.equal([]);
    expect(await ids()).to.deep.equal(made);
    const again = await stack.preview({ diff: true });
    expect(again.steps, again.text).to.deep.equal(steps("same"));
    await expectDone(stack.refresh());
    expect(await stack.stateFiles()).not.to.contain(SECRET);
  });
});
