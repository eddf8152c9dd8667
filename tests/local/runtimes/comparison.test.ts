import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { type RunningAgentServer, startAgentServer } from "../../../local/agentserver";
import { compare } from "../../contract/threads/comparison";
import { DIFFERENCES } from "../../contract/threads/differences";
import { subjectAt } from "../../contract/threads/subject";
import { useDeployedAgent } from "../../support/deployed-agent";
import { describeNightly } from "../../support/tiers";
import { aFolder } from "../children";

const TITLE = "every member that the public description names, on the three agent servers";
describeNightly(TITLE, () => {
  const javascript = useDeployedAgent("javascript");
  const python = useDeployedAgent("python");
  let folder: string;
  let builtIn: RunningAgentServer;
  before(async () => {
    folder = await aFolder();
    const database = join(folder, "threads.db");
    const what = { graphs: ["agent"], variables: [], commit: null };
    builtIn = await startAgentServer({ database, ...what });
  });
  after(async () => {
    await builtIn.close();
    await rm(folder, { recursive: true });
  });

  it("has the same effect, or a row in docs/agent-servers.md that says where it differs", async () => {
    const servers = [
      subjectAt("built-in", () => builtIn.url),
      subjectAt("javascript", () => javascript().url),
      subjectAt("python", () => python().url),
    ];
    const description = await (await fetch(`${python().url}/openapi.json`)).json();
    const found = await compare(servers, description);
    const rows = DIFFERENCES.flatMap(({ what, finds }) =>
      finds === undefined ? [] : [{ what, finds }],
    );
    const unknown = found.filter(({ what }) => !rows.some(({ finds }) => finds.test(what)));
    const named = unknown.map(({ what, texts }) => [what, ...texts].join("\n  "));
    expect(named.join("\n")).to.equal("");
    const without = rows.filter(({ finds }) => !found.some(({ what }) => finds.test(what)));
    const gone = without.map(({ what }) => what);
    expect(gone, "rows of what no longer differs").to.deep.equal([]);
  }).timeout(600_000);
});
