import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../project";
import { recordOf, textOf } from "../../shared/records";
import { withFacts } from "./arguments";
import { functionsOf } from "./functions";
import { providerOf, resourcesOf } from "./resources";
import { readSources } from "./sources";
import { Types } from "./types";

/** The path of the schema in the repository. */
export const SCHEMA = join(REPOSITORY, "provider/doors/native/schema.json");

/** The text of Pulumi's schema of this package, from the declarations that TypeScript programs import. */
export function schemaText(): string {
  return `${JSON.stringify(packageSchema(), undefined, 2)}\n`;
}

function packageSchema(): object {
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
  return {
    ...metadata(),
    config: { variables: provider.inputProperties },
    types: Object.fromEntries(collected),
    provider,
    resources,
    functions,
  };
}

const nameIn = (token: string): string => token.split(":").at(-1) ?? token;

function metadata(): object {
  const text = readFileSync(join(REPOSITORY, "package.json"), "utf8");
  const { version, description, license } = recordOf(JSON.parse(text));
  return {
    name: "agentserver",
    displayName: "Agent Server",
    version: textOf(version),
    description: textOf(description),
    keywords: ["pulumi", "agentserver", "category/cloud", "kind/native"],
    license: textOf(license),
    publisher: "pulumi-agentserver",
    meta: { moduleFormat: "(.*)(?:/[^/]*)" },
    language: {
      python: { pyproject: { enabled: true }, respectSchemaVersion: true, readme: PYTHON_README },
      nodejs: { packageName: "pulumi-agentserver-sdk", respectSchemaVersion: true },
      go: { respectSchemaVersion: true, generateResourceContainerTypes: true },
      csharp: { respectSchemaVersion: true },
    },
  };
}

const PYTHON_README = `# Agent servers, declared in Python

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

This SDK is generated. It needs Pulumi's CLI and the plugin \`agentserver\`, which is in the npm package \`pulumi-agentserver\`.
`;
