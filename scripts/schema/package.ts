import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../project";
import { recordOf, textOf } from "../../shared/records";
import { withFacts } from "./arguments";
import { functionsOf } from "./functions";
import { providerOf, resourcesOf } from "./resources";
import { readSources } from "./sources";
import { nameIn, type PackageSpec } from "./spec";
import { Types } from "./types";

/** The path of the schema in the repository. */
export const SCHEMA = join(REPOSITORY, "provider/adapters/native/schema.json");

/** The text of Pulumi's schema of this package, from the declarations that TypeScript programs import. */
export function schemaText(): string {
  const { types, provider, ...members } = packageSpec();
  const config = { variables: provider.inputProperties };
  return `${JSON.stringify({ ...metadata(), config, types, provider, ...members }, undefined, 2)}\n`;
}

/** All that the package offers, as TypeScript programs import it. */
export function packageSpec(): PackageSpec {
  const sources = readSources();
  const types = new Types(sources);
  const provider = providerOf(sources, types);
  const resources = resourcesOf(sources, types);
  const functions = functionsOf(sources, types);
  const collected = Object.entries(types.collected()).map(([token, spec]) => [
    token,
    "properties" in spec
      ? { ...spec, properties: withFacts(nameIn(token), spec.properties) }
      : spec,
  ]);
  return { types: Object.fromEntries(collected), provider, resources, functions };
}

function metadata(): object {
  const text = readFileSync(join(REPOSITORY, "package.json"), "utf8");
  const { version, description, license, homepage } = recordOf(JSON.parse(text));
  const address = repositoryAddress();
  const path = address.slice("https://".length);
  return {
    name: "agentserver",
    displayName: "Agent Server",
    version: textOf(version),
    description: textOf(description),
    keywords: ["pulumi", "agentserver", "category/cloud", "kind/native"],
    homepage: textOf(homepage),
    license: textOf(license),
    attribution: ATTRIBUTION,
    repository: address,
    logoUrl: `${address}/raw/main/docs/logo.svg`,
    pluginDownloadURL: `github://api.${path}`,
    publisher: "pulumi-agentserver",
    meta: { moduleFormat: "(.*)(?:/[^/]*)" },
    language: {
      python: {
        packageName: "pulumi_agentserver",
        pyproject: { enabled: true },
        respectSchemaVersion: true,
        readme: pythonReadme(address),
      },
      nodejs: { packageName: "pulumi-agentserver-sdk", respectSchemaVersion: true },
      go: {
        importBasePath: `${path}/sdks/go/agentserver`,
        respectSchemaVersion: true,
        generateResourceContainerTypes: true,
      },
      csharp: { rootNamespace: "Pulumi", respectSchemaVersion: true },
    },
  };
}

/** The repository's address, as https://github.com/owner/name. All others are derived from the one in package.json. */
export function repositoryAddress(): string {
  const text = readFileSync(join(REPOSITORY, "package.json"), "utf8");
  const url = textOf(recordOf(recordOf(JSON.parse(text))["repository"])["url"]) ?? "";
  return url.replace(/^git\+/, "").replace(/\.git$/, "");
}

const ATTRIBUTION =
  "This package is independent of the services that it manages. Their names belong to their owners.";

const pythonReadme = (address: string): string => `# Agent servers, declared in Python

Pulumi programs that deploy LLM agent servers, wait until a revision serves, and say what to do when it does not.

\`\`\`sh
pip install pulumi-agentserver
\`\`\`

\`\`\`python
import pulumi
import pulumi_agentserver as agentserver

support = agentserver.Deployment(
    "support",
    source=agentserver.DeploymentSource.EXTERNAL_CONTAINER,
    source_revision_config={"image_uri": "registry.example.com/support:1"},
)
pulumi.export("url", support.url)
\`\`\`

It needs [Pulumi's command line](https://www.pulumi.com/docs/install/), which downloads the plugin \`agentserver\` at the first run, and Node 22.12 or newer on \`PATH\`, which runs the plugin. Without a download, [name the plugin's folder or archive](${address}/blob/main/docs/languages.md).

Say where the control plane is:

\`\`\`sh
pulumi config set agentserver:baseUrl https://api.host.langchain.com
pulumi config set agentserver:dialect langsmith
pulumi config set agentserver:workspaceId <id of the workspace>
pulumi config set --secret agentserver:apiKey
\`\`\`

\`help(agentserver.Deployment)\` shows all arguments. The package is typed. It is generated from the schema of the plugin; documents and source: ${address}
`;
