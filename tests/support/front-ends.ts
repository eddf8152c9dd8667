import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as dynamicSdk from "pulumi-agentserver";
import * as nativeSdk from "pulumi-agentserver/native";
import { type Project, REPOSITORY } from "../../scripts/project";
import { describeIn, type Tier } from "./tiers";

/** One of the two front ends of the lifecycles. */
export interface FrontEnd {
  readonly name: "dynamic" | "native";
  /** The classes that programs use. */
  readonly sdk: typeof dynamicSdk;
  /** The prefix of a kind's name in its type token. */
  readonly types: string;
}

export const DYNAMIC: FrontEnd = {
  name: "dynamic",
  sdk: dynamicSdk,
  types: "pulumi-nodejs:dynamic/agentserver:",
};
export const NATIVE: FrontEnd = { name: "native", sdk: nativeSdk, types: "agentserver:index:" };

/** The words of a preview for a deployment that is replaced: the engine does not give the native provider the order. */
export function lossThrough(frontEnd: FrontEnd, order: "first" | "last" = "first"): string {
  const loss = "its threads and database are deleted with it";
  return frontEnd === DYNAMIC ? `deleted ${order}, ${loss}` : loss;
}

type Suite = (frontEnd: FrontEnd) => void;

/** A suite on the real engine that runs through both front ends, through each in a tier of its own. */
export function describeFrontEnds(title: string, dynamic: Tier, native: Tier, suite: Suite): void {
  describeIn(dynamic, `${title}, on the real engine`, () => suite(DYNAMIC));
  describeIn(native, `${title}, on the real engine, through the native provider`, () =>
    suite(NATIVE),
  );
}

/** An `it` of what one front end alone does: through the other one there is no such test. */
export function itOnlyOn(one: FrontEnd, frontEnd: FrontEnd) {
  return (title: string, test: () => Promise<void>): void => {
    if (frontEnd === one) it(title, test);
  };
}

/** The part of `Pulumi.yaml` about the native provider in a project's folder: its path. */
export async function nativePlugin({ dir }: Pick<Project, "dir">) {
  const path = join(dir, "plugin");
  const executable = join(path, "pulumi-resource-agentserver");
  await mkdir(path, { recursive: true });
  const main = join(REPOSITORY, "dist/provider/adapters/native/main.js");
  await writeFile(executable, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  await chmod(executable, 0o755);
  return { providers: [{ name: "agentserver", path }] };
}
