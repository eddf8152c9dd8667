import { createRequire } from "node:module";
import { z } from "zod";

/** The version of this package, found by its own name: the same from the sources, the build and an installed package. */
export function packageVersion(): string {
  const manifest: unknown = createRequire(__filename)("pulumi-agentserver/package.json");
  return z.object({ version: z.string() }).parse(manifest).version;
}
