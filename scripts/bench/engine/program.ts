// The Pulumi program of the bench `engine`: so many deployments of one kind, as the stack's configuration says.
import { Config } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import { Deployment as NativeDeployment } from "pulumi-agentserver/native";
import { argumentsOf } from "./inputs";
import { ConstantTextDeployment, SerialisedDeployment } from "./by-hand";
import type { Kind } from "./kinds";

const CLASSES = {
  "pulumi-agentserver": Deployment,
  "pulumi-agentserver/native": NativeDeployment,
  "dynamic.Resource": SerialisedDeployment,
  "constant text": ConstantTextDeployment,
} satisfies Record<Kind, unknown>;

const config = new Config("bench");
const kind = config.require<Kind>("kind");
const count = config.requireNumber("count");

/** What was declared; the engine waits for it. */
export const deployments = Array.from({ length: count }, (_, index) => {
  const name = `agent-${String(index).padStart(4, "0")}`;
  return new CLASSES[kind](name, argumentsOf(name));
});
