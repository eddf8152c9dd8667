import { all } from "@pulumi/pulumi";
import { Deployment, listDeploymentsOutput } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** Resources that are created when something is known: in an apply, after an await, in a promise's then. */
export async function program(_: Settings, version: number) {
  const image = (name: string, level = "info") => ({
    source: "external_container" as const,
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:1` },
    env: { LOG_LEVEL: level },
  });
  const first = new Deployment("first", image("first"));
  const applied = listDeploymentsOutput({ status: "NEVER" }).apply(
    (none) => new Deployment("applied", image("applied", none.length === 0 ? "info" : "warn")).url,
  );
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  const awaited = new Deployment("awaited", image("awaited", version === 1 ? "info" : "debug"));
  const later = Promise.resolve().then(() => new Deployment("later", image("later")).url);
  return { urls: all([first.url, applied, awaited.url, later]) };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Deployment awaited": "update" },
  kept: ["urls"],
};
