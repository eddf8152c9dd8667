import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { REPOSITORY } from "../../../scripts/project";
import { goVersion } from "../../../scripts/sdks/generate";
import type { Run } from "../run";
import type { Kind } from "./inputs";

/** The folder of the plugin of each echo provider that this machine can build. */
export type Echoes = ReadonlyMap<Kind, string>;

const GO_FLAGS = ["-trimpath", "-mod=readonly", "-tags=osusergo,grpcnotrace"];

/** Builds the echo providers: the one in Node is bundled as ours is; without Go there is none in Go. */
export async function buildEchoes({ folder, signal, say }: Run): Promise<Echoes> {
  say("building the echo providers");
  const [node, go] = [join(folder, "echo-node"), join(folder, "echo-go")];
  await mkdir(node);
  await build({
    entryPoints: [require.resolve("./echo")],
    outfile: join(node, "echo.cjs"),
    bundle: true,
    platform: "node",
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "error",
  });
  const start = join(node, "pulumi-resource-echo");
  await writeFile(start, '#!/bin/sh\nexec node "$(dirname -- "$0")/echo.cjs" "$@"\n');
  await chmod(start, 0o755);
  const echoes = new Map<Kind, string>([["echo in Node", node]]);
  if ((await goVersion()) === undefined) return echoes;
  await promisify(execFile)(
    "go",
    ["build", ...GO_FLAGS, "-o", join(go, "pulumi-resource-echo"), "./echo"],
    {
      cwd: join(REPOSITORY, "scripts/pulumi-cli"),
      env: { ...process.env, GOWORK: "off" },
      signal,
    },
  );
  return echoes.set("echo in Go", go);
}
