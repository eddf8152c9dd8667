import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { RESOURCE_TYPES } from "../../provider/resource-types";
import { REPOSITORY } from "../../scripts/project";
import { blocksOf } from "../support/by-hand";
import { describeFrontEnds, NATIVE } from "../support/front-ends";
import { useStack } from "../support/engine";
import { gitArgs, supportProgram } from "../support/program";

/**
 * Starts a pack with Pulumi's SDK. Pulumi runs a pack that is an executable itself: the language host that stands in for
 * that of `nodejs` here starts none.
 */
const ANALYZER = `#!/bin/sh
cd "$(dirname "$0")"
exec node "$(node -p 'require.resolve("@pulumi/pulumi/cmd/run-policy-pack")')" "$@" .
`;

/** The pack around the remediation. */
const REMEDIATING = `import { PolicyPack } from "@pulumi/policy";
const policy = { name: "labelled", description: "Has a team.", remediateResource: labelled };
new PolicyPack("agents", { policies: [{ ...policy, enforcementLevel: "remediate" }] });
`;

/** The oldest CLI here that runs an executable as a pack. */
const WITH_EXECUTABLES = "3.274.0";

describeFrontEnds("the policy pack of docs/ci.md", "long", "long", (frontEnd) => {
  const pack = () => join(stack.project.dir, "policies");
  let labelling = "";
  let write: (program: string) => Promise<void>;

  before(async function () {
    const { version } = await PulumiCommand.get();
    if (version === null || version.compare(WITH_EXECUTABLES) < 0) this.skip();
  });
  const { test, stack } = useStack({ frontEnd }, async () => {
    const document = await readFile(join(REPOSITORY, "docs/ci.md"), "utf8");
    const [program = "", remediation = ""] = await blocksOf("docs/ci.md", undefined, "ts");
    labelling = remediation + REMEDIATING;
    const [, manifest = ""] = /`package.json` with `([^`]+)`/.exec(document) ?? [];
    await mkdir(pack());
    await writeFile(join(pack(), "PulumiPolicy.yaml"), "runtime: nodejs\n");
    await writeFile(join(pack(), "analyzer"), ANALYZER, { mode: 0o755 });
    await writeFile(join(pack(), "package.json"), manifest);
    const name = `"pulumi-agentserver${frontEnd === NATIVE ? "/native" : ""}"`;
    write = (source) =>
      writeFile(join(pack(), "index.ts"), source.replaceAll('"pulumi-agentserver"', name));
    await write(program);
  });

  const previewOf = (repoRef: string) => {
    stack.program = supportProgram(gitArgs(test, { repoRef }));
    return stack.preview({ policyPacks: [join(pack(), "analyzer")] });
  };

  it("refuses a branch at the preview", async () => {
    const { ok, text } = await previewOf("main");
    expect(ok).to.equal(false);
    expect(text).to.contain(`releases-do-not-move  (${frontEnd.types}Deployment: support)`);
    expect(text).to.contain("declare refs/tags/… or …@sha256:…");
  });

  it("lets a tag pass", async () => {
    const { ok, text } = await previewOf("refs/tags/v1");
    expect(ok, text).to.equal(true);
    expect(text).to.contain("✅ agents@v1.0.0");
  });

  it("keeps secret what a remediation adds and copies as the document says", async () => {
    await write(labelling);
    const args = { ...gitArgs(test), secrets: { KEY: "value-CANARY" } };
    stack.program = supportProgram(args);
    const { ok, text } = await stack.up({ policyPacks: [join(pack(), "analyzer")] });
    expect(ok, text).to.equal(true);
    const [deployment] = await test.deployments();
    const names = deployment?.secrets?.map(({ name }) => name);
    expect(names).to.have.members(["KEY", "AUDIT_KEY", "TEAM"]);
    expect(await stack.stateFiles()).not.to.match(/CANARY|…/);
  });

  it("finds in each class the type that its resources have", () => {
    for (const kind of Object.keys(RESOURCE_TYPES))
      expect(Reflect.get(Object(Reflect.get(frontEnd.sdk, kind)), "__pulumiType")).to.equal(
        `${frontEnd.types}${kind}`,
      );
  });
});
