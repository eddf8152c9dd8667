import { all, ComponentResource, interpolate } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A router that knows the addresses of two workers, all three being children of one component. */
class Fleet extends ComponentResource {
  readonly router: Deployment;

  constructor(name: string, level: string) {
    super("shop:index:Fleet", name);
    const image = (role: string) => ({
      source: "external_container" as const,
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
    });
    const search = new Deployment(
      "search",
      { ...image("search"), env: { LOG_LEVEL: level } },
      { parent: this },
    );
    const writer = new Deployment(
      "writer",
      { ...image("writer"), env: { SEARCH: search.url } },
      { parent: this },
    );
    this.router = new Deployment(
      "router",
      {
        ...image("router"),
        env: {
          WORKERS: all([search.url, writer.url]).apply((urls) => urls.join(",")),
          SEARCH_INFO: interpolate`${search.url}/info`,
        },
      },
      { parent: this },
    );
    this.registerOutputs({ url: this.router.url });
  }
}

export function program(_: Settings, version: number) {
  return { url: new Fleet("fleet", version === 1 ? "info" : "debug").router.url };
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Fleet$Deployment search": "update" },
  kept: ["url"],
};
