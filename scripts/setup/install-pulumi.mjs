import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { judgeVersion } from "./find-pulumi.mjs";
import { elapsed, report } from "./report.mjs";
import { run } from "./run.mjs";

/** The CLI of the SDK we develop with: the version in package.json and scripts/pulumi-cli/go.mod. */
export const pulumiVersion = "3.248.0";

/**
 * Lets `fill` put a CLI into `<draft>/bin` and, if it works, moves it to `bin`, `pulumi` itself last: whoever finds it
 * there finds a whole one, however this process ended. Returns the path of the CLI.
 */
export async function publish(bin, fill) {
  mkdirSync(bin, { recursive: true });
  const draft = mkdtempSync(join(dirname(bin), ".draft-"));
  const clear = () => rmSync(draft, { recursive: true, force: true });
  process.once("exit", clear);
  try {
    await fill(draft);
    await judgeVersion(join(draft, "bin/pulumi"));
    const files = readdirSync(join(draft, "bin")).filter((name) => name !== "pulumi");
    for (const name of [...files, "pulumi"]) renameSync(join(draft, "bin", name), join(bin, name));
    return join(bin, "pulumi");
  } finally {
    clear();
    process.off("exit", clear);
  }
}

/**
 * Runs Pulumi's own installer. The npm package `pulumi` would do the same, but does not exist in this version; the
 * Automation API brings the installer, too, and asks it for the version of its SDK.
 */
export async function download(root, draft) {
  report("Asking Pulumi's own installer (for 20 s at most) …");
  const program = `require("@pulumi/pulumi/automation").PulumiCommand.install({ root: process.argv[1] })
    .catch((error) => { console.error(error.message); process.exit(1); });`;
  await run(process.execPath, ["-e", program, draft], {
    cwd: root,
    limitSeconds: 20,
    onLine: () => {},
  });
}

/** What `go list -deps` counts for the CLI; only for people to see how far the build is. */
const packageCount = 1640;

/** Builds the CLI from its Go module: 4 to 6 minutes on two cores. Every 10 s a line says how far it is. */
export async function buildFromGoModule(root, draft) {
  await run("go", ["version"], { onLine: () => {} });
  const since = Date.now();
  let [downloaded, compiled] = [0, 0];
  const onLine = (line) => (line.startsWith("go: downloading") ? downloaded++ : compiled++);
  const progress = () =>
    compiled
      ? `${compiled} of about ${packageCount} packages compiled`
      : `${downloaded} modules downloaded, no package compiled yet`;
  report(
    "The installer did not work, building from the Go module: 4 to 6 minutes, only this once …",
  );
  const timer = setInterval(() => report(`  ${elapsed(since)}: ${progress()}`), 10_000);
  // The automation API refuses a CLI without a version, which an official build gets in this way, too.
  const version = `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pulumiVersion}`;
  const flags = [
    "-v",
    "-trimpath",
    "-mod=readonly",
    "-tags=osusergo,grpcnotrace",
    `-ldflags=-s -w -X ${version}`,
  ];
  const main = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
  try {
    await run("go", ["build", ...flags, "-o", join(draft, "bin/pulumi"), main], {
      cwd: join(root, "scripts/pulumi-cli"),
      env: { ...process.env, GOWORK: "off" },
      onLine,
    });
  } finally {
    clearInterval(timer);
  }
}
