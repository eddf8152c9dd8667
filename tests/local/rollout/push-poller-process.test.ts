import { expect } from "chai";
import { join } from "node:path";
import type { Deployment } from "../../../sdk/schema";
import { aGitDeployment, usePlatform } from "../../support/platform";
import { until } from "../children";
import { makeRepository } from "../repository";
import { recordOf } from "../../../shared/records";

describe("a push to a repository on this machine", () => {
  const t = usePlatform({ driver: "process" });

  /** The commit that its server says it runs. */
  const running = async ({ id }: Deployment): Promise<unknown> =>
    recordOf((await t.request("GET", `/agents/${id}/info`)).body)["commit"];

  it("is built and runs, also when it came while the platform was stopped", async () => {
    const repository = await makeRepository(join(t.dataDir, "repository"));
    const { source_config } = aGitDeployment(t.integrationId);
    const tracking = { ...source_config, repo_url: repository.url, build_on_push: true };
    const made = await t.create({ source_config: tracking });
    const first = await repository.git("rev-parse", "HEAD");
    await until("the first commit to run", async () => (await running(made)) === first);

    const second = await repository.commit({ "a.txt": "2" });
    await until("the second commit to run", async () => (await running(made)) === second);

    await t.platform.close();
    const third = await repository.commit({ "a.txt": "3" });
    await t.restart();
    await until("the third commit to run", async () => (await running(made)) === third);
    const { source_revision_config: config } = await t.get(made.id);
    expect(config).to.include({ repo_ref: "main", repo_commit_sha: third });
  });
});
