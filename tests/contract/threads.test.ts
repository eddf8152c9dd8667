import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunningAgentServer } from "../../local/agentserver";
import { startBuiltIn } from "../local/agentserver/support";
import { aFolder } from "../local/children";
import { assistantsSuite } from "./assistants.suite";
import { subjectAt } from "./threads/subject";
import { threadsSuite } from "./threads/threads.suite";

describe("the built-in server", () => {
  let folder: string;
  let server: RunningAgentServer;
  before(async () => {
    folder = await aFolder();
    server = await startBuiltIn(join(folder, "threads.db"));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const subject = subjectAt("built-in", () => server.url);
  describe("threads of the built-in server", () => threadsSuite(subject));
  describe("assistants of the built-in server", () => assistantsSuite(subject));
});
