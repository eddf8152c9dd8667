import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { compiledSources } from "../setup/build.mjs";
import { digest, filesIn, folders, root, run, tag, uv } from "./project.mjs";

const platforms = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);

/** Those are for a program that names the folder. Pulumi would run `npm install` where an archive with them is installed. */
const ofFolder = ["PulumiPlugin.yaml", "package.json", "package-lock.json"];

/** Packs the plugin for each platform. All have the same content, since Node is what runs it. */
export async function buildArchives() {
  await compile();
  const plugin = join(root, "dist/plugin");
  empty(folders.archives);
  const files = platforms.map((platform) =>
    join(folders.archives, `pulumi-resource-agentserver-${tag}-${platform}.tar.gz`),
  );
  const entries = readdirSync(plugin).filter((name) => !ofFolder.includes(name));
  const [first, ...others] = files;
  await pack(first, plugin, entries);
  for (const other of others) cpSync(first, other);
  const sums = files.map((file) => `${digest(file)}  ${basename(file)}\n`);
  writeFileSync(join(folders.archives, "SHA256SUMS"), sums.join(""));
  console.log(filesIn(folders.archives).join("\n"));
}

/** Packs the packages of npm and Python. */
export async function buildPackages() {
  await compile();
  empty(folders.packages);
  run("npm", ["pack", "--silent", "--pack-destination", folders.packages], { stdout: "ignore" });
  const draft = mkdtempSync(join(tmpdir(), "agentserver-release-"));
  try {
    await buildPythonPackages(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  console.log(filesIn(folders.packages).join("\n"));
}

async function buildPythonPackages(draft) {
  const [source, unpacked] = [join(draft, "source"), join(draft, "unpacked")];
  cpSync(join(root, "sdks/python"), source, { recursive: true });
  const env = { SOURCE_DATE_EPOCH: "315532800" };
  run(uv(), ["build", "--quiet", "--out-dir", draft, source], { env });
  for (const wheel of filesIn(draft, /\.whl$/))
    cpSync(wheel, join(folders.packages, basename(wheel)));
  for (const sdist of filesIn(draft, /\.tar\.gz$/)) {
    // setuptools writes the time into it.
    const { extract } = await import("tar");
    mkdirSync(unpacked);
    extract({ file: sdist, cwd: unpacked, sync: true });
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(unpacked, join(entry.parentPath, entry.name)));
    await pack(join(folders.packages, basename(sdist)), unpacked, files);
  }
}

/** An archive whose bytes depend on its content only: what is built again can be compared with what is published. */
async function pack(file, cwd, entries) {
  const { create } = await import("tar");
  const options = { file, cwd, gzip: true, portable: true, mtime: new Date(0) };
  create({ ...options, sync: true }, entries.toSorted());
}

function empty(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const sources = compiledSources(root);

/** Tests may be running from what is compiled: it is replaced only where the sources have changed since. */
const compile = async () => sources.isDone() || sources.work();
