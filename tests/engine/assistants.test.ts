import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { shareCache } from "../../scripts/shared-cache";
import { skipWithoutRegistry } from "../support/agents";
import { commandsOf, makeRoot, type Root, type } from "../support/by-hand";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { rejection } from "../support/rejection";
import { describeLong } from "../support/tiers";

const README = "examples/assistants/README.md";
const STACKS = ["dev", "staging", "production"] as const;

describeLong(
  "the example of assistants on the real Python server, as its README says to type it",
  () => {
    let root: Root | undefined;
    let test: TestPlatform | undefined;

    const dir = () => join(root?.dir ?? "", ".agentserver/assistants");
    const typed = (commands: string) => {
      const { url = "", apiKey = "", workspaceId = "" } = test?.platform ?? {};
      return type(commands, dir(), {
        PULUMI_BACKEND_URL: `file://${join(dir(), "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "only-for-trying",
        AGENTSERVER_BASE_URL: url,
        AGENTSERVER_API_KEY: apiKey,
        AGENTSERVER_WORKSPACE_ID: workspaceId,
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      });
    };
    const found = async (stack: string) => {
      const url = (await typed(`npx pulumi stack output --stack ${stack} url`)).trim();
      const { assistants, crons } = new AgentServer({ url });
      const all = await assistants.search();
      const ours = all.filter(({ name }) => name.startsWith("support-"));
      const byName = Object.fromEntries(ours.map((one) => [one.name, one]));
      return { all, ours: byName, crons: await crons.search() };
    };

    before(async function () {
      await skipWithoutRegistry(this, "python");
      root = await makeRoot();
      const dataDir = join(root.dir, ".agentserver");
      test = await startTestPlatform({ driver: "process", agentServer: "real", dataDir });
      await shareCache(dataDir);
      const [, commands = ""] = await commandsOf(README, "Try it");
      await type(commands, root.dir);
    });
    after(async () => {
      await test?.close();
      await root?.remove();
    });

    it("has the same three in each environment, with the model of the environment", async () => {
      for (const stack of STACKS) {
        const { all, ours, crons } = await found(stack);
        expect(Object.keys(ours)).to.have.members(["support-de", "support-en", "support-fr"]);
        const model = stack === "dev" ? "m-small" : "m-large";
        expect(ours["support-fr"]).to.deep.include({ version: 1 });
        expect(ours["support-fr"]?.context).to.include({ language: "fr", model });
        expect(crons.map(({ schedule, assistant_id: id }) => [schedule, id])).to.deep.equal([
          ["0 9 * * 1-5", ours["support-en"]?.assistant_id],
        ]);
        // The graph's own default assistant, and nothing that a gate left.
        expect(all).to.have.length(4);
      }
    });

    it("refuses values whose answers are not as expected, and keeps the assistant in use", async () => {
      const table = join(dir(), "assistants.ts");
      const text = await readFile(table, "utf8");
      await writeFile(table, text.replace('language: "fr"', 'language: "en"'));
      const { message } = await rejection(typed("npx pulumi up --stack dev --skip-preview"));
      expect(message)
        .to.contain(
          "assistant 'support-fr' is not changed, since its gate failed: 0 of 2 runs passed",
        )
        .and.contain('expected an answer that contains "commande 1042"; got: Your order 1042 is');
      const { all, ours } = await found("dev");
      expect(ours["support-fr"]?.context).to.include({ language: "fr" });
      expect(all).to.have.length(4);
      await writeFile(table, text);
    });

    it("sends what passes, as one version of the assistant that changes", async () => {
      const table = join(dir(), "assistants.ts");
      const text = await readFile(table, "utf8");
      await writeFile(table, text.replace("Be brief and friendly.", "Be brief."));
      expect(await typed("npx pulumi preview --stack dev")).to.contain(
        "a gate of 2 runs comes first",
      );
      await typed("npx pulumi up --stack dev --skip-preview");
      const { ours } = await found("dev");
      expect(ours["support-en"]).to.deep.include({ version: 2 });
      expect(ours["support-de"]).to.deep.include({ version: 1 });
    });

    it("moves the cron of a row in place, once", async () => {
      const table = join(dir(), "assistants.ts");
      const text = await readFile(table, "utf8");
      const [before] = (await found("dev")).crons;
      await writeFile(table, text.replace("0 9 * * 1-5", "30 8 * * 1-5"));
      const printed = await typed("npx pulumi preview --stack dev");
      expect(printed).to.match(/it fires next on .* 08:30/);
      await typed("npx pulumi up --stack dev --skip-preview");
      const { crons } = await found("dev");
      expect(crons.map(({ schedule, cron_id }) => [schedule, cron_id])).to.deep.equal([
        ["30 8 * * 1-5", before?.cron_id],
      ]);
    });
  },
);
