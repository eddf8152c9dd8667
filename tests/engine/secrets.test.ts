import {
  type CustomResourceOptions,
  type Input,
  type Inputs,
  runtime,
  type ResourceTransform,
  type ResourceTransformation,
  secret,
} from "@pulumi/pulumi";
import { expect } from "chai";
import { describeFrontEnds } from "../support/front-ends";
import { type Program, useStack } from "../support/engine";
import { OAUTH_INPUTS } from "../support/inputs";

/** Each way in which a program changes what another part of it declares. */
const WAYS = {
  transform: (add: Add) => ({ transforms: [changeOf(add)] }),
  transformation: (add: Add) => ({ transformations: [changeOf(add)] }),
  stackTransform: (add: Add, name: string) => {
    runtime.registerResourceTransform(changeOf(add, name));
    return {};
  },
  stackTransformation: (add: Add, name: string) => {
    runtime.registerStackTransformation(changeOf(add, name));
    return {};
  },
} satisfies Record<string, (add: Add, name: string) => CustomResourceOptions>;

type Add = (props: Inputs) => Inputs;

const changeOf =
  (add: Add, only?: string): ResourceTransform & ResourceTransformation =>
  ({ name, props, opts }) =>
    only === undefined || name === only ? { props: add(props), opts } : undefined;

describeFrontEnds("secrets", "short", "long", (frontEnd) => {
  /** Secrets that transforms add in clear, and an image that the program has made secret. */
  const program =
    (version: string): Program =>
    async ({ Deployment, OAuthProvider }) => {
      const running = (imageUri: Input<string>) => ({
        source: "external_container" as const,
        sourceRevisionConfig: { imageUri },
      });
      const image = "registry.example.com/acme/support:1";
      const add: Add = (props) => ({
        ...props,
        secrets: { ...props["secrets"], ADDED: `CANARY-${version}` },
      });
      for (const [name, way] of Object.entries(WAYS))
        new Deployment(name, running(image), way(add, name));
      new Deployment("hidden", {
        ...running(secret(`registry.example.com/CANARY/support:CANARY-${version}`)),
        env: ["1", "2"].includes(version) ? { FORMER: secret(`CANARY-${version}`) } : {},
        onFailure: "rollback",
      });
      const clientSecret = `CANARY-${version}`;
      const adding = WAYS.transformation((props) => ({ ...props, clientSecret }));
      new OAuthProvider("github", { ...OAUTH_INPUTS, clientSecret: "" }, adding);
    };

  const { test, stack } = useStack({ frontEnd }, () => {
    stack.program = program("1");
  });

  for (const version of ["1", "2"])
    it(`are nowhere in clear, whoever adds them and wherever outputs repeat them (version ${version})`, async () => {
      stack.program = program(version);
      const runs = [await stack.preview({ diff: true }), await stack.up({ diff: true })];
      for (const { ok, text, messages } of runs) {
        expect(ok, text).to.equal(true);
        expect(text).to.contain("[secret]");
        expect(`${text}${messages.join()}`).not.to.contain("CANARY");
      }
      const state = await stack.stateFiles();
      expect(state).to.contain("lastGoodRevision").and.not.contain("CANARY");
      expect(JSON.stringify(await stack.resources())).to.contain(`CANARY-${version}`);
      const after = await stack.preview();
      expect(after.changes, after.text).to.deep.equal({ same: 7 });
    });

  it("of an update that fails are not in clear either, nor those that it puts back, and no name is hidden", async () => {
    for (const version of ["3", "4"]) {
      // Each once, and each is updated: a rollback must not take the failure of one that a busy machine has not begun.
      for (const { id: deploymentId } of await test.deployments())
        test.platform.admin.addOutcome({ deploymentId, stage: "deploy", status: "DEPLOY_FAILED" });
      stack.program = program(version);
      const { ok, text } = await stack.up({ diff: true, continueOnError: true });
      expect(ok).to.equal(false);
      expect(text).to.contain("rolled back").and.not.contain("CANARY");
      expect(text).not.to.contain("deployment '[secret]'");
      await stack.refresh();
      const state = await stack.stateFiles();
      expect(state).to.contain("DEPLOY_FAILED").and.not.contain("CANARY");
    }
  });
});
