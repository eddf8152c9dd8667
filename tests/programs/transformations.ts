import { ComponentResource, type ResourceTransformation } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** The older form of transforms, which runs in the program. */
export function program(_: Settings, version: number) {
  const pinned: ResourceTransformation = ({ props, opts, name }) => ({
    props: name === "mail" ? { ...props, env: { VERSION: String(version) } } : props,
    opts,
  });
  const parent = new ComponentResource(
    "shop:index:Team",
    "team",
    {},
    { transformations: [pinned] },
  );
  for (const role of ["chat", "mail"])
    new Deployment(
      role,
      {
        source: "external_container",
        sourceRevisionConfig: { imageUri: `registry.example.com/acme/${role}:1` },
      },
      { parent },
    );
}

export const expected: Expected = {
  tier: "nightly",
  steps: { "Team$Deployment mail": "update" },
};
