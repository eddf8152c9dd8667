import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { z } from "zod";
import { skipWithoutRegistry, untilRolledOut, type Language } from "../../support/agents";
import { cached } from "../../support/cached";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { describeIn, runs } from "../../support/tiers";
import { parsed } from "../../support/values";
import { aFolder, removeFolder } from "../children";
import { makeRepository } from "../repository";
import type { Case } from "./corpus/case";
import { JAVASCRIPT_CASES } from "./corpus/javascript";
import { PYTHON_CASES } from "./corpus/python";

const LIMIT_MS = 900_000;
/** Those that a machine may lack. */
const MANAGERS = ["pnpm@9.15.9"];
const run = promisify(execFile);
const Values = z.object({ text: z.string() });

/** Deploys the cases that the tier has. Returns what others may deploy with. */
function corpus(language: Language, cases: readonly Case[]) {
  let folder = "";
  let test: TestPlatform | undefined;
  const { PATH } = process.env;

  before(async function () {
    this.timeout(LIMIT_MS);
    await skipWithoutRegistry(this, language);
    const managers = await cached(`package-managers-${MANAGERS.join("-")}`, (cwd) =>
      run("npm", ["install", "--no-audit", "--no-fund", "--prefix", cwd, ...MANAGERS]),
    );
    process.env["PATH"] = `${join(managers, "node_modules/.bin")}:${PATH}`;
    folder = await aFolder();
    // The settings of a project around the data folder are not those of a build.
    const around = '[tool.uv]\nconstraint-dependencies = ["langgraph-api<0.12"]\n';
    await writeFile(join(folder, "pyproject.toml"), around);
    const dataDir = join(folder, "data");
    test = await startTestPlatform({ driver: "process", agentServer: "real", dataDir });
  });
  after(async () => {
    process.env["PATH"] = PATH;
    await test?.close();
    await removeFolder(folder);
  });

  async function deploy({ what, files, lock, config = "langgraph.json", secrets = [] }: Case) {
    if (!test) throw new Error("the platform has not started");
    const texts = Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? content : JSON.stringify(content),
    ]);
    const place = join(folder, what.replaceAll(/\W/g, "-"));
    const repository = await makeRepository(place, Object.fromEntries(texts));
    if (lock) await run("/bin/sh", ["-c", lock], { cwd: repository.folder });
    if (lock) await repository.commit({});
    const { source_config } = aGitDeployment(test.integrationId);
    const source_revision_config = { repo_ref: "main", graph_config_path: config };
    const from = { ...source_config, repo_url: repository.url };
    const body = { source_config: from, source_revision_config, secrets };
    const { id, url } = await test.create(body);
    return { id, url: url ?? "", test, body };
  }
  /** The graph's answer. */
  async function ask(url: string): Promise<string> {
    const response = await post(`${url}/runs/wait`, { assistant_id: "agent", input: { text: "" } });
    return parsed(Values, await response.json()).text;
  }

  const headers = { "content-type": "application/json" };
  const post = (url: string, body: object) =>
    fetch(url, { method: "POST", headers, body: JSON.stringify(body) });

  for (const one of cases.filter(({ tier = "nightly" }) => runs(tier)))
    it(`${one.refusal ? "refuses" : "serves"} ${one.what}`, async () => {
      const { id, url, test: platform } = await deploy(one);
      const { status, build, deploy: lines } = await untilRolledOut(platform, id);
      const all = [status, ...build, ...lines].join("\n");
      for (const words of [one.log, one.refusal])
        expect(!words || build.some((line) => words.test(line)), all).to.equal(true);
      expect(status, all).to.equal(one.refusal ? "BUILD_FAILED" : "DEPLOYED");
      const text = one.refusal ? one.answer : await ask(url);
      if (one.answer instanceof RegExp) expect(text).to.match(one.answer);
      else expect(text).to.equal(one.answer);
      for (const [path, expected] of Object.entries(one.asks ?? {}))
        expect(await (await post(url + path, { name: "card" })).text()).to.contain(expected);
      await platform.request("DELETE", `/v2/deployments/${id}`);
    }).timeout(LIMIT_MS);
  return { deploy, ask };
}

describeIn("long", "the platform, of repositories in Python as people have them,", () => {
  const { deploy, ask } = corpus("python", PYTHON_CASES);

  it("serves a commit after three changes of variables, a restart, and without another deployment of it", async () => {
    const one = PYTHON_CASES.find(({ what }) => what.startsWith("an editable package beside"));
    if (!one) throw new Error("there is no such case");
    const again = { ...one, what: "an editable package, again and again" };
    const { id, url, test, body } = await deploy(again);
    await untilRolledOut(test, id);
    const second = await test.create(body);
    expect((await untilRolledOut(test, second.id)).status).to.equal("DEPLOYED");
    for (const value of ["a", "b", "c"]) {
      await test.request("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "SHOP", value }] });
      const { status, build, deploy: lines } = await untilRolledOut(test, id);
      expect(status, [...build, ...lines].join("\n")).to.equal("DEPLOYED");
      expect(build.join("\n")).to.contain("using a finished build");
    }
    await test.request("DELETE", `/v2/deployments/${second.id}`);
    await test.untilGone(second.id);
    await test.restart();
    expect(await ask(url)).to.equal(one.answer);
  }).timeout(LIMIT_MS);
});

describeIn("long", "the platform, of repositories in JavaScript as people have them,", () => {
  corpus("javascript", JAVASCRIPT_CASES);
});
