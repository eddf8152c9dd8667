#!/usr/bin/env node
import { printable } from "../shared/printable";
import { CommandLine } from "./command-line";
import { addAssistantsCommand } from "./commands/assistants";
import { addDeleteCommand } from "./commands/delete";
import { addDoctorCommand } from "./commands/doctor";
import { addEnvCommand } from "./commands/env";
import { addImportCommand } from "./commands/import";
import { addInterruptCommand } from "./commands/interrupt";
import { addListCommand } from "./commands/list";
import { addLocalCommand } from "./commands/local";
import { addLogsCommand } from "./commands/logs";
import { addOpenCommand } from "./commands/open";
import { addRedeployCommand } from "./commands/redeploy";
import { addStatusCommand } from "./commands/status";
import { addThreadsCommand } from "./commands/threads";

// Who reads the output may leave, as `head` does. What is printed whole needs no end, and commands end at their next line.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const line = new CommandLine();
addListCommand(line);
addStatusCommand(line);
addLogsCommand(line);
addAssistantsCommand(line);
addThreadsCommand(line);
addImportCommand(line);
addRedeployCommand(line);
addInterruptCommand(line);
addDeleteCommand(line);
addOpenCommand(line);
addDoctorCommand(line);
addEnvCommand(line);
addLocalCommand(line);

line
  .addCompletion()
  .then(() => line.run(process.argv.slice(2)))
  .then(
    (exitCode) => (process.exitCode = exitCode),
    (error: unknown) => {
      console.error(printable(error instanceof Error ? String(error.stack) : String(error)));
      process.exitCode = 1;
    },
  );
