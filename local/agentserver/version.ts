import { createRequire } from "node:module";

/** The version of this package, found by its own name: the same from the sources, the build and an installed package. */
export function packageVersion(): string {
  const manifest: { readonly version: string } = createRequire(__filename)(
    "pulumi-agentserver/package.json",
  );
  return manifest.version;
}
