// The Pulumi program of the bench `engine`: so many deployments of one kind, as the stack's configuration says.
import { Config, CustomResource, dynamic, secret } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";
import { Deployment as NativeDeployment } from "pulumi-agentserver/native";
import { ByHandProvider } from "./by-hand.provider";
import { type Arguments, argumentsOf, type Kind } from "./inputs";

const withSecret = ({ secrets: { MODEL_API_KEY }, ...args }: Arguments) => {
  return { ...args, secrets: { MODEL_API_KEY: secret(MODEL_API_KEY) } };
};
const options = { additionalSecretOutputs: ["secrets"] };
const provider = new ByHandProvider();

/** The floor that most people would write: its provider is serialised into the state. */
class SerialisedDeployment extends dynamic.Resource {
  constructor(name: string, args: Arguments) {
    super(provider, name, withSecret(args), options);
  }
}

const PROVIDER = JSON.stringify(require.resolve("./by-hand.provider"));
const TEXT = `exports.handler = () => new (require(${PROVIDER}).ByHandProvider)();`;

/** The lower floor: the same provider, reached by a constant text. */
class ConstantTextDeployment extends CustomResource {
  constructor(name: string, args: Arguments) {
    const props = { ...withSecret(args), __provider: TEXT };
    super("pulumi-nodejs:dynamic:Resource", name, props, options);
  }
}

const CLASSES = {
  "pulumi-agentserver": Deployment,
  "pulumi-agentserver/native": NativeDeployment,
  "dynamic.Resource": SerialisedDeployment,
  "constant text": ConstantTextDeployment,
} satisfies Record<Kind, unknown>;

const config = new Config("bench");
const kind = config.require<Kind>("kind");

/** The declared deployment; the engine waits for it. */
export const deployments = Array.from({ length: config.requireNumber("count") }, (_, index) => {
  const name = `agent-${String(index).padStart(4, "0")}`;
  const logLevel = index === 0 ? config.get("logLevel") : undefined;
  return new CLASSES[kind](name, argumentsOf(name, config.get("integrationId"), logLevel));
});
