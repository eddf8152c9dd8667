import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { REPOSITORY } from "../../scripts/project";
import { describeFrontEnds, type FrontEnd, NATIVE } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";

/**
 * Starts a pack with Pulumi's SDK. Pulumi runs a pack that is an executable itself: the language host that stands in for
 * that of `nodejs` here starts none.
 */
const ANALYZER = `#!/bin/sh
cd "$(dirname "$0")"
exec node "$(node -p 'require.resolve("@pulumi/pulumi/cmd/run-policy-pack")')" "$@" .
`;

/** The oldest CLI here that runs an executable as a pack. */
const WITH_EXECUTABLES = "3.274.0";

const CLASSES = ["Deployment", "Listener", "OAuthProvider", "Thread", "Assistant"];

/** A policy for each class, which each resource of it breaks. */
const EVERY_CLASS = `
import { PolicyPack, validateResourceOfType } from "@pulumi/policy";
import { ${CLASSES.join(", ")} } from "pulumi-agentserver";

new PolicyPack("every-class", {
  policies: [${CLASSES.map(
    (name) => `{
    name: "named-${name.toLowerCase()}",
    description: "Its class is known.",
    enforcementLevel: "mandatory",
    validateResource: validateResourceOfType(${name}, (_props, _args, report) => report("seen")),
  }`,
  ).join()}],
});
`;

/** A program with a resource of each class. */
function everyKind(sdk: FrontEnd["sdk"], args: DeploymentArgs): void {
  const { url: deploymentUrl } = new sdk.Deployment("support", args);
  new sdk.Listener("cluster", {
    computeType: "k8s",
    computeId: "cluster",
    computeConfig: { k8sNamespaces: ["default"] },
  });
  new sdk.OAuthProvider("tracker", {
    providerId: "tracker",
    name: "Tracker",
    clientId: "support",
    authUrl: "https://tracker.example.com/authorize",
    tokenUrl: "https://tracker.example.com/token",
  });
  new sdk.Thread("fixture", { deploymentUrl });
  new sdk.Assistant("german", { deploymentUrl, graphId: "agent" });
}

describeFrontEnds(
  "the policy pack of docs/ci.md",
  (frontEnd) => {
    let test: TestPlatform;
    let stack: TestStack;
    const pack = () => join(stack.project.dir, "policies");

    before(async function () {
      const { version } = await PulumiCommand.get();
      if (version === null || version.compare(WITH_EXECUTABLES) < 0) this.skip();
      test = await startTestPlatform();
      stack = await TestStack.create(settingsFor(test.platform), async () => undefined, frontEnd);
      const document = await readFile(join(REPOSITORY, "docs/ci.md"), "utf8");
      const [, program = ""] = /```ts\n(import \{ PolicyPack[^`]+)```/.exec(document) ?? [];
      const [, manifest = ""] = /`package.json` with `([^`]+)`/.exec(document) ?? [];
      await mkdir(pack());
      await writeFile(join(pack(), "PulumiPolicy.yaml"), "runtime: nodejs\n");
      await writeFile(join(pack(), "analyzer"), ANALYZER, { mode: 0o755 });
      await writeFile(join(pack(), "package.json"), manifest);
      await writeFile(join(pack(), "index.ts"), withClassesOf(program));
    });
    after(async () => {
      await stack?.remove();
      await test?.close();
    });

    const withClassesOf = (program: string) =>
      program.replace(
        '"pulumi-agentserver"',
        frontEnd === NATIVE ? `"pulumi-agentserver/native"` : `"pulumi-agentserver"`,
      );
    const preview = (args: DeploymentArgs, policies = pack()) => {
      stack.program = async (sdk) => everyKind(sdk, args);
      return stack.preview({ policyPacks: [join(policies, "analyzer")] });
    };
    const ofRef = (repoRef: string): DeploymentArgs => {
      const { sourceRevisionConfig, ...args } = gitArgs(test);
      return { ...args, sourceRevisionConfig: { ...sourceRevisionConfig, repoRef } };
    };

    it("refuses a branch at the preview", async () => {
      const { ok, text } = await preview(ofRef("main"));
      expect(ok).to.equal(false);
      expect(text).to.contain(`releases-do-not-move  (${frontEnd.types}Deployment: support)`);
      expect(text).to.contain("declare refs/tags/… or …@sha256:…");
    });

    it("lets a tag pass", async () => {
      const { ok, text } = await preview(ofRef("refs/tags/v1"));
      expect(ok, text).to.equal(true);
      expect(text).to.contain("✅ agents@v1.0.0");
    });

    it("knows the resources of each class", async () => {
      const policies = join(stack.project.dir, "every-class");
      await cp(pack(), policies, { recursive: true });
      await writeFile(join(policies, "index.ts"), withClassesOf(EVERY_CLASS));
      const { text } = await preview(ofRef("refs/tags/v1"), policies);
      for (const name of CLASSES)
        expect(text).to.match(new RegExp(`named-${name}  \\(${frontEnd.types}${name}: .*`, "i"));
    });
  },
  { dynamic: "long" },
);
