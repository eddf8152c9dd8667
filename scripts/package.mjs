// `npm run package`: packs the native provider as `pulumi plugin install … --file` takes it: dist/packages holds one archive
// for each platform. All have the same content, since Node is what runs it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledSources } from "./setup/build.mjs";
import { report } from "./setup/report.mjs";

const platforms = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);

function pack(root) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [plugin, folder] = [join(root, "dist/plugin"), join(root, "dist/packages")];
  mkdirSync(folder, { recursive: true });
  const archives = platforms.map((platform) =>
    join(folder, `pulumi-resource-agentserver-v${version}-${platform}.tar.gz`),
  );
  const [first, ...others] = archives;
  execFileSync("tar", ["-czf", first, "-C", plugin, ...readdirSync(plugin)]);
  for (const archive of others) cpSync(first, archive);
  return archives;
}

try {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  // Tests may be running from what is compiled: it is replaced only where the sources have changed since.
  const sources = compiledSources(root);
  if (!sources.isDone()) await sources.work();
  console.log(pack(root).join("\n"));
} catch (error) {
  report(error.message);
  process.exitCode = 1;
}
