import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type Line = ReturnType<typeof documentLines>[number];

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

export function documentLines() {
  return filesOf("*.md", "docs/*.md", "examples/*.md").flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .map((text, index) => ({ path, line: index + 1, text })),
  );
}
