import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { secret } from "@pulumi/pulumi";
import { expect } from "chai";
import { Deployment, type GitHostDeploymentArgs } from "pulumi-agentserver";
import { REPOSITORY } from "../../scripts/project";
import { expectDone } from "../support/run";
import { useStack } from "../support/engine";
import { gitArgs } from "../support/program";

const CLI = join(REPOSITORY, "dist/cli/main.js");
const SECRET = "value-CANARY-of-a-secret";

describe("a deployment's life on the real engine", () => {
  let id = "";

  const declare = (changes: Partial<GitHostDeploymentArgs> = {}) => {
    stack.program = async () => {
      const { url, ready, activeRevisionId, secrets } = new Deployment("support", {
        ...gitArgs(test),
        env: { LOG_LEVEL: "info" },
        secrets: { MODEL_API_KEY: secret(SECRET) },
        ...changes,
      });
      return { url, ready, activeRevisionId, secrets };
    };
  };
  const { test, stack } = useStack({}, () => {
    declare();
    test.platform.admin.clearRequests();
  });

  it("previews a create without a request", async () => {
    const { ok, changes } = await stack.preview();
    expect(ok).to.equal(true);
    expect(changes).to.deep.equal({ create: 2 });
    expect(test.platform.admin.requests()).to.be.empty;
  });

  it("creates, waits until the revision serves, and gives every output", async () => {
    await expectDone(stack.up());
    const outputs = await stack.outputs();
    const state = await stack.deployment();
    id = state.id;
    const live = await test.get(id);
    expect(outputs["ready"]?.value).to.equal(true);
    expect(outputs["url"]?.value).to.equal(live.url);
    expect(outputs["activeRevisionId"]?.value).to.equal(live.latest_revision_id);
    expect(state.outputs).to.include({
      name: live.name,
      tenantId: test.platform.workspaceId,
      baseUrl: test.platform.url,
      status: "READY",
      latestRevisionId: live.latest_revision_id,
    });
    const expected = { revisionId: live.latest_revision_id, state: "done" };
    expect(state.outputs["rollout"]).to.deep.equal(expected);
    expect(state.outputs["revisions"]).to.have.length(1);
    expect(live.name).to.match(/^support-test-[0-9a-f]{7}$/);
  });

  it("is what the commands mean by its name in a folder of the project, and what list marks", async () => {
    const { name } = await test.get(id);
    const other = await test.create({ name: "support" });
    const folder = join(stack.project.dir, "src");
    await mkdir(folder);
    const command = async (...words: string[]) => {
      const options = { cwd: folder, env: { ...process.env, ...stack.project.environment } };
      const args = [CLI, ...words, "--json", "--data-dir", test.dataDir];
      const { stdout } = await promisify(execFile)(process.execPath, args, options);
      return JSON.parse(stdout);
    };
    const own = { name: "test", urn: stack.urn() };
    expect(await command("status", "support")).to.deep.include({ name, stack: own });
    expect(await command("status", other.id)).to.deep.include({ name: "support", stack: null });
    const { deployments }: { deployments: { stack: unknown }[] } = await command("list");
    expect(deployments.map(({ stack: of }) => of)).to.have.deep.members([own, null]);
    await test.request("DELETE", `/v2/deployments/${other.id}`);
  });

  it("previews nothing when nothing changed, and asks nobody", async () => {
    test.platform.admin.clearRequests();
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    expect(test.platform.admin.requests()).to.be.empty;
  });

  it("keeps secrets and keys out of the state file, the outputs and what is printed", async () => {
    const { text } = await stack.up();
    const outputs = await stack.outputs();
    const files = await stack.stateFiles();
    expect(files).to.contain(id);
    for (const hidden of [SECRET, test.platform.apiKey]) {
      expect(files).not.to.contain(hidden);
      expect(text).not.to.contain(hidden);
    }
    expect(outputs["secrets"]?.secret).to.equal(true);
  });

  it("creates exactly one revision of several changes, and says so before", async () => {
    declare({ ...gitArgs(test, { repoRef: "next" }), env: { LOG_LEVEL: "debug" } });
    const { messages } = await stack.preview();
    expect(messages.join("\n")).to.match(
      /an update creates a new revision: repoRef, variable LOG_LEVEL changed; it builds the newest commit of branch next \([0-9a-f]{12} serves now\)/,
    );
    const { changes } = await expectDone(stack.up());
    expect(changes).to.deep.equal({ same: 1, update: 1 });
    expect(await test.revisions(id)).to.have.length(2);
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("next");
  });

  it("shows drift at a refresh, property by property, and puts it right with one revision", async () => {
    await test.request("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { repo_ref: "elsewhere" },
      secrets: [...((await test.get(id)).secrets ?? []), { name: "ADDED", value: "not-shown" }],
    });
    await test.untilRevision(id, "DEPLOYED");
    expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
    expect((await stack.refresh()).changes).to.deep.equal({ same: 1, update: 1 });
    const { inputs, outputs } = await stack.deployment();
    expect(outputs["__urn"]).to.equal(stack.urn());
    expect(outputs["secrets"]).to.include.keys("ADDED");
    for (const hidden of [SECRET, "not-shown"])
      expect(await stack.stateFiles()).not.to.contain(hidden);
    expect(inputs).to.have.nested.property("sourceRevisionConfig.repoRef", "elsewhere");
    expect(await test.revisions(id)).to.have.length(3);
    expect((await stack.up()).changes).to.deep.equal({ same: 1, update: 1 });
    expect(await test.revisions(id)).to.have.length(4);
    expect((await test.get(id)).source_revision_config.repo_ref).to.equal("next");
  });

  it("destroys and waits until the control plane answers 404", async () => {
    await expectDone(stack.destroy());
    expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
    expect(await stack.deployments()).to.be.empty;
  });
});
