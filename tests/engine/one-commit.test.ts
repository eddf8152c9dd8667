import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { makeRepository, type Repository } from "../local/repository";
import { DIALECTS } from "../../sdk";
import { Revision } from "../../sdk/schema";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { parsed } from "../support/values";

/** A configuration that no build accepts. */
const BROKEN = { "langgraph.json": "{" };

for (const dialect of DIALECTS)
  describeFrontEnds(
    `deploying one commit from real git, on the real engine, in the dialect ${dialect}`,
    (frontEnd) => {
      let test: TestPlatform;
      let stack: TestStack;
      let repository: Repository;
      let good = "";

      const declare = (
        repoRef: string,
        repoCommitSha?: string,
        env: DeploymentArgs["env"] = { LOG_LEVEL: "info" },
      ) => {
        const { sourceConfig } = gitArgs(test);
        const args: DeploymentArgs = {
          source: "git_host",
          sourceConfig: { ...sourceConfig, repoUrl: repository.url },
          sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json", repoCommitSha },
          onFailure: "rollback",
          env,
        };
        stack.program = supportProgram(args);
      };
      const serving = async () => {
        const { id } = await stack.deployment();
        const { active_revision_id, latest_revision_id, secrets } = await test.get(id);
        const path = `/v2/deployments/${id}/revisions/${active_revision_id}`;
        const { body } = await test.request("GET", path);
        const commit = parsed(Revision, body).source_revision_config?.repo_commit_sha;
        return { commit, isLatest: active_revision_id === latest_revision_id, secrets };
      };
      /** Variables with which an agent server takes two seconds to start: longer than the pause between two polls. */
      const slowStart = async () => {
        const file = join(test.dataDir, "slow.cjs");
        await writeFile(file, "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)");
        return { LOG_LEVEL: "debug", NODE_OPTIONS: `--require=${file}` };
      };
      /** Updates, and says which commits were seen to serve meanwhile. */
      const upWatched = async () => {
        const seen = new Set<unknown>();
        const watch = setInterval(() => void serving().then(({ commit }) => seen.add(commit)), 50);
        const run = await stack.up().finally(() => clearInterval(watch));
        return { ...run, seen: [...seen] };
      };

      before(async () => {
        test = await startTestPlatform({ driver: "process", dialect });
        repository = await makeRepository(join(test.dataDir, "repository"));
        stack = await TestStack.create(
          { ...settingsFor(test.platform), "agentserver:dialect": { value: dialect } },
          async () => undefined,
          frontEnd,
        );
        good = await repository.git("rev-parse", "HEAD");
      });
      after(async () => {
        await stack.destroy();
        await stack.remove();
        await test.close();
      });

      it("deploys the commit that the branch is at and the program expects", async () => {
        declare("main", good);
        const { ok, text } = await stack.up();
        expect(ok, text).to.equal(true);
        expect(await serving()).to.include({ commit: good });
        expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
      });

      it("refuses a commit that was pushed since, and nothing else has served", async () => {
        await repository.commit({ "README.md": "nobody declared this" });
        declare("main", good, await slowStart());
        const { messages } = await stack.preview();
        expect(messages.join("\n")).to.contain(
          `newest commit of branch main, which must be ${good}`,
        );
        const { ok, text, seen } = await upWatched();
        expect(ok).to.equal(false);
        expect(text).to.contain(`instead of ${good}, and was interrupted`);
        expect(text).to.match(/rolled back: revision [0-9a-f-]{36} of the old values serves/);
        expect(seen).to.deep.equal([good]);
      });

      it("rolls a branch back to the commit that served, and no other serves for a moment", async () => {
        declare("no-such-branch");
        const { messages } = await stack.preview();
        expect(messages.join("\n")).to.contain("a failure is rolled back by redeploying revision");
        expect(messages.join("\n")).to.contain(`of commit ${good}`);
        const { ok, text, seen } = await upWatched();
        expect(ok).to.equal(false);
        expect(text).to.match(/rolled back: revision [0-9a-f-]{36} of the old values serves/);
        expect(seen).to.deep.equal([good]);
        expect(await serving()).to.include({ commit: good, isLatest: true });
        expect((await stack.deployment()).outputs).to.have.nested.property(
          "lastGoodRevision.repoCommitSha",
          good,
        );
      });

      it("restores variables and commit together", async () => {
        await repository.commit(BROKEN);
        declare("main", undefined, { LOG_LEVEL: "debug" });
        const { ok, seen } = await upWatched();
        expect(ok).to.equal(false);
        expect(seen).to.deep.equal([good]);
        expect(await serving()).to.deep.equal({
          commit: good,
          isLatest: true,
          secrets: [{ name: "LOG_LEVEL", value: "info" }],
        });
      });

      it("deploys exactly the commit of a tag, whatever the branch is at", async () => {
        await repository.git("tag", "release/1", good);
        declare("refs/tags/release/1");
        const { ok, text } = await stack.up();
        expect(ok, text).to.equal(true);
        expect(await serving()).to.include({ commit: good, isLatest: true });
        await stack.refresh();
        expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
      });
    },
    { dynamic: "nightly", native: "nightly" },
  );
