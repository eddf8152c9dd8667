import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { useExample } from "../support/by-hand";
import { reasonOf } from "../support/rejection";
import { describeLong } from "../support/tiers";

describeLong(
  "the example of assistants on the real Python server, as its README says to type it",
  () => {
    const options = { driver: "process", real: "python" } as const;
    const example = useExample("assistants", "assistants", options);
    const found = async (stack: string) => {
      const url = (await example().typed(`npx pulumi stack output --stack ${stack} url`)).trim();
      const { assistants, crons } = new AgentServer({ url });
      const all = await assistants.search();
      const ours = all.filter(({ name }) => name.startsWith("support-"));
      const byName = Object.fromEntries(ours.map((one) => [one.name, one]));
      return { all, ours: byName, crons: await crons.search() };
    };
    /** Runs `pulumi` in `dev` with another text in the table of assistants. */
    const upWith = async (from: string, to: string) => {
      const table = join(example().dir, "assistants.ts");
      const text = await readFile(table, "utf8");
      await writeFile(table, text.replace(from, to));
      const preview = await example().typed("npx pulumi preview --stack dev");
      const up = example().typed("npx pulumi up --stack dev --skip-preview");
      return { preview, up: up.finally(() => writeFile(table, text)) };
    };

    it("has the same three in each environment, with the model of the environment", async () => {
      for (const stack of ["dev", "staging", "production"]) {
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

    it("refuses values whose answers are not as expected, and sends what passes as one version", async () => {
      expect(await reasonOf((await upWith('language: "fr"', 'language: "en"')).up))
        .to.contain("assistant 'support-fr' is not changed, since its gate failed: 0 of 2 runs")
        .and.contain('expected an answer that contains "commande 1042"; got: Your order 1042 is');
      expect((await found("dev")).ours["support-fr"]?.context).to.include({ language: "fr" });
      const passing = await upWith("Be brief and friendly.", "Be brief.");
      expect(passing.preview).to.contain("a gate of 2 runs comes first");
      await passing.up;
      const { all, ours } = await found("dev");
      expect(all).to.have.length(4);
      expect(ours["support-en"]).to.deep.include({ version: 2 });
      expect(ours["support-de"]).to.deep.include({ version: 1 });
    });

    it("moves the cron of a row in place, once", async () => {
      const [before] = (await found("dev")).crons;
      const moved = await upWith("0 9 * * 1-5", "30 8 * * 1-5");
      expect(moved.preview).to.match(/it fires next on .* 08:30/);
      await moved.up;
      const { crons } = await found("dev");
      expect(crons.map(({ schedule, cron_id }) => [schedule, cron_id])).to.deep.equal([
        ["30 8 * * 1-5", before?.cron_id],
      ]);
    });
  },
);
