import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { DeploymentArgs } from "pulumi-agentserver";
import { makeProject } from "../../scripts/project";
import { type Place, PulumiCommands } from "../../lab/pulumi-commands";
import { type FrontEnd, DYNAMIC, nativePlugin } from "./front-ends";
import { deploymentsIn, type StateResource, storedState } from "./state";

const filesFor = (sdk: string, plugins: object) => ({
  "Pulumi.yaml": `name: shop
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins: ${JSON.stringify(plugins)}
`,
  "package.json": '{ "name": "shop", "private": true }\n',
  "index.js": `const { Deployment } = require("${sdk}");
for (const [name, { options, ...args }] of Object.entries(require("./deployments.json")))
  new Deployment(name, args, options);
`,
});

/** The arguments of one deployment of a program. */
type Declared = DeploymentArgs & { readonly options?: CustomResourceOptions };

/** A stack of deployments that is run by the command line. */
export class CliStack extends PulumiCommands {
  static async create(platform: Place, frontEnd: FrontEnd = DYNAMIC): Promise<CliStack> {
    const project = await makeProject("agentserver-cli-");
    const stack = new CliStack(project, platform);
    const sdk = frontEnd.name === "native" ? "pulumi-agentserver/native" : "pulumi-agentserver";
    const files = filesFor(sdk, await nativePlugin(project));
    for (const [name, text] of Object.entries(files)) await stack.write(name, text);
    const { code, text } = await stack.run("stack", "init", "test");
    if (code !== 0) throw new Error(text);
    return stack;
  }

  /** The declarations of the program from now on, by logical name. */
  declare(deployments: Readonly<Record<string, Declared>>): Promise<void> {
    return this.write("deployments.json", JSON.stringify(deployments));
  }

  /** The ids of the deployments that the state holds, by logical name. */
  async ids(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.deployments()).map(({ name, id }) => [name, id]));
  }

  /** The deployments that the state holds, their secrets encrypted. */
  async deployments(): Promise<StateResource[]> {
    return deploymentsIn(await storedState(this.project, "shop", "test"));
  }
}
