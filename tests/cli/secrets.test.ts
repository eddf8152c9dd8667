import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { start } from "../../lab/processes";
import { usePlatform } from "../support/platform";
import { notingPulumi } from "./pulumi";
import { useFolder } from "../local/children";

const CLI = join(__dirname, "../../cli/main.js");
const CANARY = "value-CANARY-of-a-variable";
const AGENT_KEY = "key-CANARY-of-an-agent-server";

/** Every command but `local`, and `env` without a stack, whose output is for a program that needs the key. */
const COMMANDS = [
  "list --json --wide",
  "status failing --json",
  "logs failing --json",
  "assistants support",
  "import FOLDER",
  "import FOLDER --json --front-end native",
  "import FOLDER --pulumi dev --json",
  "redeploy support --yes --json",
  "interrupt support",
  "delete goner --yes",
  "doctor --json",
  "env --pulumi dev --json",
];

/** Those that handle errors each in its own way. */
const REFUSED = /^(list|import FOLDER --json|assistants|doctor|env)/;

describe("the commands show and store no secret", () => {
  const t = usePlatform();
  const folder = useFolder();
  let pulumi: Awaited<ReturnType<typeof notingPulumi>>;
  before(async () => {
    const secrets = [{ name: "TOKEN", value: CANARY }];
    for (const name of ["support", "goner"]) {
      const { id } = await t.create({ name, secrets });
      await t.untilRevision(id, "DEPLOYED");
    }
    const outcome = { stage: "deploy", status: "DEPLOY_FAILED", reason: `it read ${CANARY}` };
    await t.admin("POST", "/outcomes", outcome);
    const { id } = await t.create({ name: "failing", secrets });
    await t.untilRevision(id, "DEPLOY_FAILED");
  });
  beforeEach(async () => (pulumi = await notingPulumi(folder())));
  afterEach(() => t.platform.admin.clearFaults());

  const run = async (command: string) => {
    const words = command.replace("FOLDER", folder("imported")).split(" ");
    const args = [CLI, ...words, "--data-dir", t.dataDir];
    const env = { ...pulumi.environment, AGENTSERVER_AGENT_API_KEY: AGENT_KEY };
    return (await start(process.execPath, args, { cwd: folder(), env }).finished).text;
  };
  /** Texts that were written or handed over where others can read them. */
  const stored = async () => {
    const imported = folder("imported");
    const names = await readdir(imported).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(imported, name), "utf8")));
    const notes = await pulumi.notes().catch(() => "");
    // A value that Pulumi encrypts is handed over on its standard input.
    return [...texts, notes.replaceAll(/( --secret .*\n)stdin: .*/g, "$1")];
  };
  const expectNone = async (command: string) => {
    const printed = await run(command);
    expect(printed).not.to.equal("");
    for (const text of [printed, ...(await stored())])
      for (const secret of ["CANARY", t.platform.apiKey, t.platform.adminKey, btoa(CANARY)])
        expect(text).not.to.contain(secret);
  };

  for (const command of COMMANDS) {
    it(command, () => expectNone(command));

    if (REFUSED.test(command))
      it(`${command}, where the control plane repeats the key in each refusal`, async () => {
        const { apiKey } = t.platform;
        t.answers({}, 403, { detail: `you sent ${apiKey}, ${btoa(apiKey)}` }, 100);
        await expectNone(command);
      });
  }

  it("hand each variable's value over on standard input, to be encrypted", async () => {
    await run("import FOLDER --pulumi dev");
    expect(await pulumi.notes())
      .to.contain(`args: config set --stack dev --secret TOKEN\nstdin: ${CANARY}\n`)
      .and.contain(`--secret agentserver:apiKey\nstdin: ${t.platform.apiKey}\n`);
  });
});
