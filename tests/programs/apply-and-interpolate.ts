import { concat, type CustomResourceOptions, interpolate, jsonStringify } from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A house's own kind of deployment, by inheritance. */
class HouseAgent extends Deployment {
  constructor(name: string, tag: number, env: DeploymentArgs["env"], more?: CustomResourceOptions) {
    const sourceRevisionConfig = { imageUri: `registry.example.com/acme/${name}:${tag}` };
    super(name, { source: "external_container", sourceRevisionConfig, ...(env && { env }) }, more);
  }

  get threads() {
    return interpolate`${this.url}/threads`;
  }
}

export function program(_: Settings, version: number) {
  const search = new HouseAgent("search", version, undefined);
  const env = {
    SEARCH: search.threads,
    SEARCH_NAME: concat("search is ", search.name),
    PEERS: jsonStringify({ search: { url: search.url, id: search.id } }),
  };
  const writer = new HouseAgent("writer", 1, env, { dependsOn: search });
  // A change by the new revision is followed too.
  const SEARCH_REVISION = search.activeRevisionId.apply((id) => id ?? "none");
  const audit = new HouseAgent("audit", 1, { SEARCH_REVISION });
  return { writer: writer.url, ready: search.ready, audit: audit.name };
}

export const expected: Expected = {
  tier: "long",
  steps: { "Deployment search": "update", "Deployment audit": "update" },
  kept: ["writer", "ready", "audit"],
};
