import { join } from "node:path";
import { elapsed, report } from "./report.mjs";
import { run } from "./run.mjs";

/** The version that we develop with: that of scripts/pulumi-cli/go.mod. */
export const pulumiVersion = "3.276.0";

/** The oldest that is served of those that we promise to work with: that of scripts/pulumi-cli/oldest/go.mod. */
export const oldestVersion = "3.217.1";

/**
 * Runs Pulumi's own installer. The npm package `pulumi` would do the same, but does not exist in this version; the
 * Automation API brings the installer, too.
 */
export async function download(root, draft) {
  report("Asking Pulumi's own installer (for 20 s at most) …");
  const program = `require("@pulumi/pulumi/automation").PulumiCommand.install({ root: process.argv[1], version: process.argv[2] })
    .catch((error) => { console.error(error.message); process.exit(1); });`;
  await run(process.execPath, ["-e", program, draft, pulumiVersion], {
    cwd: root,
    limitSeconds: 20,
    onLine: () => {},
  });
}

/**
 * Builds the CLI from its Go module, which the go.mod of a folder names: 5 to 10 minutes on two cores. Every 10 s a line says
 * how far it is.
 */
export async function buildFromGoModule(folder, version, draft) {
  await run("go", ["version"], { onLine: () => {} });
  const since = Date.now();
  let [downloaded, compiled] = [0, 0];
  const onLine = (line) => (line.startsWith("go: downloading") ? downloaded++ : compiled++);
  const progress = () =>
    `${downloaded} modules downloaded, ${compiled} of about 1730 packages compiled`;
  report(`Building Pulumi ${version} from its Go module: 5 to 10 minutes, only this once …`);
  const timer = setInterval(() => report(`  ${elapsed(since)}: ${progress()}`), 10_000);
  // The automation API refuses a CLI without a version, which an official build gets in this way, too.
  const stamp = `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  const flags = ["-v", "-trimpath", "-mod=readonly", "-tags=osusergo,grpcnotrace"];
  const linked = `-ldflags=-s -w -X ${stamp}`;
  const main = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
  try {
    await run("go", ["build", ...flags, linked, "-o", join(draft, "bin/pulumi"), main], {
      cwd: folder,
      env: { ...process.env, GOWORK: "off", GOTMPDIR: draft },
      onLine,
    });
  } finally {
    clearInterval(timer);
  }
}
