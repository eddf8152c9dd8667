import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { skipWithoutRegistry, untilRolledOut, type Language } from "../../support/agents";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeIn, runs } from "../../support/tiers";
import { parsed } from "../../support/values";
import { aFolder, removeFolder } from "../children";
import { makeRepository } from "../repository";
import type { Case } from "./corpus/case";
import { JAVASCRIPT_CASES } from "./corpus/javascript";
import { PYTHON_CASES } from "./corpus/python";

const LIMIT_MS = 900_000;
const Values = z.object({ text: z.string() });

function corpus(language: Language, cases: readonly Case[]): void {
  let folder = "";
  let test: TestPlatform | undefined;

  before(async function () {
    this.timeout(LIMIT_MS);
    await skipWithoutRegistry(this, language);
    folder = await aFolder();
    const dataDir = join(folder, "data");
    test = await startTestPlatform({ driver: "process", agentServer: "real", dataDir });
  });
  after(async () => {
    await test?.close();
    await removeFolder(folder);
  });

  async function deploy({ what, files, config = "langgraph.json", secrets = [] }: Case) {
    if (!test) throw new Error("the platform has not started");
    const texts = Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? content : JSON.stringify(content),
    ]);
    const repository = await makeRepository(
      join(folder, what.replaceAll(/\W/g, "-")),
      Object.fromEntries(texts),
    );
    const { id, url } = await test.create({
      source_config: {
        integration_id: test.integrationId,
        repo_url: repository.url,
        deployment_type: "dev",
      },
      source_revision_config: { repo_ref: "main", graph_config_path: config },
      secrets,
    });
    return { id, url: url ?? "", test };
  }

  const post = (url: string, body: object) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  for (const one of cases.filter(({ tier = "nightly" }) => runs(tier)))
    it(`${one.refusal ? "refuses" : "serves"} ${one.what}`, async () => {
      const { id, url, test: platform } = await deploy(one);
      const { status, build, deploy: lines } = await untilRolledOut(platform, id);
      const all = [status, ...build, ...lines].join("\n");
      if (one.log)
        expect(
          build.some((line) => one.log?.test(line)),
          all,
        ).to.equal(true);
      if (one.refusal) {
        expect(status, all).to.equal("BUILD_FAILED");
        expect(
          build.some((line) => one.refusal?.test(line)),
          all,
        ).to.equal(true);
      } else {
        expect(status, all).to.equal("DEPLOYED");
        const run = await post(`${url}/runs/wait`, { assistant_id: "agent", input: { text: "" } });
        const { text } = parsed(Values, await run.json());
        if (one.answer instanceof RegExp) expect(text).to.match(one.answer);
        else expect(text).to.equal(one.answer);
      }
      for (const [path, expected] of Object.entries(one.asks ?? {}))
        expect(await (await post(url + path, { name: "card" })).text()).to.contain(expected);
      await platform.request("DELETE", `/v2/deployments/${id}`);
    }).timeout(LIMIT_MS);
}

describeIn("long", "the platform, of repositories in Python as people have them,", () => {
  corpus("python", PYTHON_CASES);
});

describeIn("long", "the platform, of repositories in JavaScript as people have them,", () => {
  corpus("javascript", JAVASCRIPT_CASES);
});
