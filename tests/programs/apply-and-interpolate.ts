import { concat, interpolate, jsonStringify } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

const image = (name: string, version: number) => ({
  source: "external_container" as const,
  sourceRevisionConfig: { imageUri: `registry.example.com/acme/${name}:${version}` },
});

export function program(_: Settings, version: number) {
  const search = new Deployment("search", image("search", version));
  const writer = new Deployment("writer", {
    ...image("writer", 1),
    env: {
      SEARCH: interpolate`${search.url}/threads`,
      SEARCH_NAME: concat("search is ", search.name),
      PEERS: jsonStringify({ search: { url: search.url, id: search.id } }),
    },
  });
  // A change by the new revision is followed too.
  const audit = new Deployment("audit", {
    ...image("audit", 1),
    env: { SEARCH_REVISION: search.activeRevisionId.apply((id) => id ?? "none") },
  });
  return { writer: writer.url, ready: search.ready, audit: audit.name };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment search": "update", "Deployment audit": "update" },
  kept: ["writer", "ready", "audit"],
};
