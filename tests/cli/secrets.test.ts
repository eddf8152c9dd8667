import { execFile } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { usePlatform } from "../support/platform";
import { notingPulumi } from "./pulumi";
import { aFolder } from "../local/children";

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
  let folder: string;
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
  beforeEach(async () => {
    folder = await aFolder();
    pulumi = await notingPulumi(folder);
  });
  afterEach(async () => {
    t.platform.admin.clearFaults();
    await rm(folder, { recursive: true });
  });

  const run = (command: string) => {
    const args = command.replace("FOLDER", join(folder, "imported")).split(" ");
    const env = { ...pulumi.environment, AGENTSERVER_AGENT_API_KEY: AGENT_KEY };
    const options = { cwd: folder, env };
    return new Promise<string>((done) => {
      execFile(process.execPath, [CLI, ...args, "--data-dir", t.dataDir], options, (_, out, err) =>
        done(out + err),
      );
    });
  };
  /** Texts that were written or handed over where others can read them. */
  const stored = async () => {
    const imported = join(folder, "imported");
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
