import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { judgeVersion } from "./find-pulumi.mjs";
import { elapsed, report } from "./report.mjs";
import { run } from "./run.mjs";

/** The CLI of the SDK we develop with: the version in package.json and scripts/pulumi-cli/go.mod. */
export const pulumiVersion = "3.248.0";

/**
 * Lets `fill` put a CLI into `<draft>/bin` and, if it works, makes that folder `bin`, in place of one without a CLI
 * that works: whoever finds it finds a whole one, however this process ends. Returns the path of the CLI.
 */
export async function publish(bin, fill) {
  mkdirSync(dirname(bin), { recursive: true });
  const draft = mkdtempSync(join(dirname(bin), ".draft-"));
  try {
    await fill(draft);
    await judgeVersion(join(draft, "bin/pulumi"));
    rmSync(bin, { recursive: true, force: true });
    renameSync(join(draft, "bin"), bin);
    return join(bin, "pulumi");
  } finally {
    rmSync(draft, { recursive: true, maxRetries: 10 }); // what was interrupted may still be writing
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

/** The number of packages that `go list -deps` counts for the CLI; only for people to see the progress of the build. */
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
  report("It did not work. Building from the Go module: 4 to 6 minutes, only this once …");
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
      env: { ...process.env, GOWORK: "off", GOTMPDIR: draft },
      onLine,
    });
  } finally {
    clearInterval(timer);
  }
}
