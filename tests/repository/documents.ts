import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A line of a document. */
export interface Line {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The files of the repository that match git's patterns, those not yet committed too. */
export function filesOf(...patterns: readonly string[]): string[] {
  const options = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...patterns];
  return execFileSync("git", options, { encoding: "utf8" }).trim().split("\n");
}

/** The sources of the package: what users run. */
export function packageSources(): string[] {
  const folders = ["shared", "sdk", "settings", "provider", "local", "cli"];
  return filesOf(...folders.map((folder) => `${folder}/*.ts`), "local/*.tsx");
}

/** Every line of the documents for users and contributors. */
export function documentLines(): Line[] {
  return filesOf("*.md", "docs/*.md", "examples/*.md").flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .map((text, index) => ({ path, line: index + 1, text })),
  );
}
