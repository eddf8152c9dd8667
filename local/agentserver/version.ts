import { createRequire } from "node:module";

/** The version of this package, resolved by its name, so from the sources, the build and an installation alike. */
export function packageVersion(): string {
  const manifest: { readonly version: string } = createRequire(__filename)(
    "pulumi-agentserver/package.json",
  );
  return manifest.version;
}
