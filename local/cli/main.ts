#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { printable } from "../../shared/printable";
import { readArguments, USAGE } from "./arguments";
import type { LogsError, LogsOptions } from "./logs";
import type { LocalPlatform, LocalPlatformOptions, StartError } from "..";

async function main(): Promise<void> {
  const command = readArguments(process.argv.slice(2));
  switch (command.name) {
    case "help":
      return console.log(USAGE);
    case "version":
      return console.log(version());
    case "invalid":
      for (const problem of command.problems) console.error(printable(`error: ${problem}`));
      console.error("`pulumi-agentserver --help` tells what there is");
      process.exitCode = 2;
      return undefined;
    case "local":
      return runLocal(command.options, command.json);
    case "logs":
      return printLogs(command.options);
  }
}

async function runLocal(options: LocalPlatformOptions, json: boolean): Promise<void> {
  const { startLocalPlatform, StartError } = await import("../index.js");
  try {
    const platform = await startLocalPlatform(options);
    endOnSignals(platform);
    const { url, port, apiKey, workspaceId, adminKey, pid } = platform;
    const told = { url, port, apiKey, workspaceId, adminKey, pid };
    const keys = join(options.dataDir ?? ".agentserver", "platform.json");
    const words = `The local platform answers at ${url}; its keys are in ${keys}`;
    console.log(json ? JSON.stringify(told) : printable(words));
  } catch (error) {
    fail(error, StartError);
  }
}

async function printLogs(options: LogsOptions): Promise<void> {
  const { readLogs, LogsError } = await import("./logs.js");
  // `logs NAME | head` has seen enough.
  process.stdout.on("error", () => process.exit());
  try {
    let lines = 0;
    for await (const line of readLogs(options)) {
      console.log(printable(line));
      lines += 1;
    }
    if (lines === 0) console.error("nothing was logged yet");
  } catch (error) {
    fail(error, LogsError);
  }
}

/** Tells of a failure of an expected kind; any other is thrown. */
function fail(error: unknown, expected: typeof StartError | typeof LogsError): void {
  if (!(error instanceof expected)) throw error;
  console.error(printable(`error: ${error.message}`));
  process.exitCode = 1;
}

/** One Ctrl-C may come as several signals: npm and npx send theirs on to a process that has got it already. */
const SAME_SIGNAL_MS = 500;

/** The first signal ends cleanly, a later one at once. */
function endOnSignals(platform: LocalPlatform): void {
  let sinceMs: number | undefined;
  const end = (signal: NodeJS.Signals) => {
    if (sinceMs === undefined) {
      sinceMs = Date.now();
      void platform.close().finally(() => process.exit());
    } else if (Date.now() - sinceMs > SAME_SIGNAL_MS) process.exit(signal === "SIGINT" ? 130 : 143);
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}

function version(): string {
  const path = join(__dirname, "..", "..", "package.json");
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, "utf8"))).version;
}

main().catch((error: unknown) => {
  console.error(printable(error instanceof Error ? String(error.stack) : String(error)));
  process.exitCode = 1;
});
