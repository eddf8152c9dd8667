import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { useExample } from "../support/by-hand";
import { needPython, needYamlHost } from "../support/languages";
import { textsIn } from "../support/state";
import { describeNightly } from "../support/tiers";

const EXAMPLES = {
  quickstart: { chapter: "By hand" },
  yaml: { tools: async (context: Mocha.Context) => [await needYamlHost(context)] },
  python: { tools: async (context: Mocha.Context) => (await needPython(context), []) },
};

for (const [name, options] of Object.entries(EXAMPLES))
  describeNightly(`what the README of examples/${name} says to type`, () => {
    const example = useExample(name, name, { driver: "process", ...options });

    it("deploys an agent that answers and takes it away again, and the key is nowhere in clear", async () => {
      const { dir, printed, root } = example();
      expect(printed).to.contain("+ 2 created").and.contain("2 unchanged");
      expect(printed).to.contain('"variables":["LOG_LEVEL","MODEL_API_KEY"]');
      expect(printed).to.contain("- 2 deleted").and.not.to.contain("not-a-real-key");
      if (name === "quickstart") {
        const configuration = await readFile(join(root.dir, "Pulumi.dev.yaml"), "utf8");
        expect(configuration).to.match(/modelApiKey:\n +secure: v1:/);
        expect(configuration, "one source of the key").not.to.contain("agentserver:apiKey");
      } else {
        expect(printed).to.contain("~ 1 updated");
        expect(await textsIn(join(dir, "state"))).not.to.contain("not-a-real-key");
      }
    });
  });
