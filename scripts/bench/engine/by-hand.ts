import { CustomResource, dynamic, secret } from "@pulumi/pulumi";
import { ByHandProvider } from "./by-hand.provider";
import type { Arguments } from "./inputs";

const provider = new ByHandProvider();

/** The floor that most people would write: its provider is serialised into the state. */
export class SerialisedDeployment extends dynamic.Resource {
  constructor(name: string, args: Arguments) {
    super(provider, name, propertiesOf(args), { additionalSecretOutputs: ["secrets"] });
  }
}

const PROVIDER = JSON.stringify(require.resolve("./by-hand.provider"));
const TEXT = `exports.handler = () => new (require(${PROVIDER}).ByHandProvider)();`;

/** The lower floor: the same provider, reached by a constant text. */
export class ConstantTextDeployment extends CustomResource {
  constructor(name: string, args: Arguments) {
    const props = { ...propertiesOf(args), __provider: TEXT };
    const options = { additionalSecretOutputs: ["secrets"] };
    super("pulumi-nodejs:dynamic:Resource", name, props, options);
  }
}

function propertiesOf(args: Arguments) {
  return {
    ...args,
    secrets: { MODEL_API_KEY: secret(args.secrets.MODEL_API_KEY) },
    tenantId: undefined,
    baseUrl: undefined,
    status: undefined,
    url: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    imageVersion: undefined,
    latestRevisionId: undefined,
    activeRevisionId: undefined,
    revisions: undefined,
    failedRevision: undefined,
    lastGoodRevision: undefined,
    rollout: undefined,
    ready: undefined,
  };
}
