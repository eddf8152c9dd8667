import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import gate from "../gate.json";
import { deploySupport } from "../support";

const TAG = "refs/tags/release/0123456789ab";

/** The declared arguments of the deployment. */
let declared: Record<string, unknown> = {};

beforeEach(async () => {
  process.env["MODEL_API_KEY"] = "not-a-real-key";
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      declared = inputs;
      const revisions = [{ id: "revision-1", repoCommitSha: "0123456789ab" }];
      const state = { ...inputs, revisions, activeRevisionId: "revision-1" };
      return { id: `${name}-id`, state };
    },
    call: () => ({ id: "7f0c4b8e-9f0d-4a52-8a8e-0f6f2f3d5c11" }),
  });
});

/** Runs the program with this configuration. Returns the commit that it says runs. */
function deploy(config: Record<string, string>): Promise<string> {
  const all = { repoUrl: "https://git.example.com/acme/support.git", logLevel: "info", ...config };
  pulumi.runtime.setAllConfig(
    Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`support-agent:${name}`, value]),
    ),
  );
  const { commit } = deploySupport(new pulumi.Config("support-agent"));
  return new Promise((resolve) => commit.apply(resolve));
}

void test("declares a tag, its smoke check and its rollback", async () => {
  const commit = "0123456789ab".padEnd(40, "0");
  assert.equal(await deploy({ release: TAG, commit, onFailure: "rollback" }), "0123456789ab");
  assert.equal(declared["onFailure"], "rollback");
  assert.equal(declared["smokeCheck"], true);
  assert.deepEqual(declared["sourceRevisionConfig"], {
    repoRef: TAG,
    graphConfigPath: "agent/langgraph.json",
    repoCommitSha: commit,
  });
});

void test("asks the questions of gate.json where the stack's configuration says so", async () => {
  await deploy({ release: TAG, gate: "true" });
  assert.deepEqual(declared["smokeCheck"], {
    graphId: "agent",
    runs: gate.map(({ asks, expects }) => ({
      input: { messages: [{ role: "user", content: asks }] },
      expect: expects,
    })),
  });
});

void test("declares an image with its digest", async () => {
  const image = `registry.example.com/acme/support@sha256:${"a".repeat(64)}`;
  await deploy({ release: image });
  assert.equal(declared["source"], "external_container");
  assert.deepEqual(declared["sourceRevisionConfig"], { imageUri: image });
});

void test("refuses a release that can move", () => {
  for (const release of ["main", "refs/heads/main", "registry.example.com/acme/support:1.4"])
    assert.throws(() => void deploy({ release }), /can move; use a tag/);
});

void test("names a key that the environment lacks", () => {
  delete process.env["MODEL_API_KEY"];
  assert.throws(() => void deploy({ release: TAG }), /set the environment variable MODEL_API_KEY/);
});
