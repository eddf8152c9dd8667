#!/usr/bin/env node
import { printable } from "../../shared/printable";
import { CommandLine } from "./command-line";
import { addLocalCommand } from "./commands/local";
import { addLogsCommand } from "./commands/logs";

const line = new CommandLine();
for (const addCommand of [addLocalCommand, addLogsCommand]) addCommand(line);

line.run(process.argv.slice(2)).then(
  (exitCode) => (process.exitCode = exitCode),
  (error: unknown) => {
    console.error(printable(error instanceof Error ? String(error.stack) : String(error)));
    process.exitCode = 1;
  },
);
