import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../project";
import { recordOf } from "../../shared/records";
import { withFacts } from "./arguments";
import { functionsOf } from "./functions";
import { providerOf, resourcesOf } from "./resources";
import { readSources } from "./sources";
import { type EnumSpec, nameIn, type ObjectSpec } from "./spec";
import { Types } from "./types";

/** The path of the schema in the repository. */
export const SCHEMA = join(REPOSITORY, "provider/adapters/native/schema.json");

/** The text of Pulumi's schema of this package, from the declarations that TypeScript programs import. */
export function schemaText(): string {
  const { types, provider, ...members } = packageSpec();
  const config = { variables: provider.inputProperties };
  return `${JSON.stringify({ ...metadata(), config, types, provider, ...members }, undefined, 2)}\n`;
}

export type PackageSpec = ReturnType<typeof packageSpec>;

/** All that the package offers, by token, as TypeScript programs import it. */
export function packageSpec() {
  const sources = readSources();
  const types = new Types(sources);
  const provider = providerOf(sources, types);
  const resources = resourcesOf(sources, types);
  const functions = functionsOf(sources, types);
  const collected = Object.entries(types.collected()).map(
    ([token, spec]): [string, ObjectSpec | EnumSpec] => [
      token,
      "enum" in spec ? spec : { ...spec, properties: withFacts(nameIn(token), spec.properties) },
    ],
  );
  return { types: Object.fromEntries(collected), provider, resources, functions };
}

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");

/** The repository's address, as https://github.com/owner/name. All others are derived from the one in package.json. */
const repositoryAddress = (): string =>
  /https:.*(?=\.git$)/.exec(JSON.parse(read("package.json")).repository.url)?.[0] ?? "";

function metadata(): object {
  const { version, description, license, homepage } = recordOf(JSON.parse(read("package.json")));
  const address = repositoryAddress();
  const path = address.slice("https://".length);
  return {
    name: "agentserver",
    displayName: "Agent Server",
    version,
    description,
    keywords: ["pulumi", "agentserver", "category/cloud", "kind/native"],
    homepage,
    license,
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
        readme: withAddress(read("sdks/python.md")),
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

/** A text that is written by hand, with that address. */
export function withAddress(text: string): string {
  return text.replaceAll(/https:\/\/github\.com\/[\w-]+\/[\w.-]+/g, repositoryAddress());
}

const ATTRIBUTION =
  "This package is independent of the services that it manages. Their names belong to their owners.";
