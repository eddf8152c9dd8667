import { nativeToken } from "../../provider/resource-types";
import { NAMESPACE, variableOf } from "../../settings/source";
import { repositoryAddress } from "../schema/package";
import type { PackageSpec, Properties } from "../schema/spec";
import { fenced, type Program, programsIn, textBeforePrograms } from "./programs";

/** The two pages that Pulumi's registry takes from the folder `docs` of a repository, by file name. */
export function registryPages({ resources, provider }: PackageSpec): Record<string, string> {
  const { description = "" } = resources[nativeToken("Deployment")] ?? {};
  return {
    "_index.md": page("Agent Server", "Deploys LLM agent servers and their revisions.", "package", [
      "The Agent Server provider deploys LLM agents behind an HTTP API, on LangGraph Platform (LangSmith Deployment) or any control plane with the same API.",
      "",
      textBeforePrograms(description),
      "",
      "## Example",
      "",
      ...chooser(programsIn(description)),
    ]),
    "installation-configuration.md": page(
      "Agent Server Installation & Configuration",
      "How to install and configure the Agent Server provider.",
      "installation",
      [...INSTALLATION, ...configuration(provider.inputProperties), "", readOn()],
    ),
  };
}

function page(title: string, summary: string, layout: string, lines: readonly string[]): string {
  const head = ["---", `title: ${title}`, `meta_desc: ${summary}`, `layout: ${layout}`, "---", ""];
  return `${[...head, ...lines].join("\n").trim()}\n`;
}

/** The registry shows the program of the language that a reader has chosen. */
function chooser(programs: readonly Program[]): string[] {
  const languages = programs.map(({ language }) => language).join(",");
  return [
    `{{< chooser language "${languages}" >}}`,
    ...programs.flatMap((program) => [
      `{{% choosable language ${program.language} %}}`,
      "",
      ...fenced(program),
      "{{% /choosable %}}",
    ]),
    "{{< /chooser >}}",
  ];
}

const INSTALLATION = [
  "## Installation",
  "",
  "- JavaScript and TypeScript: [`pulumi-agentserver`](https://www.npmjs.com/package/pulumi-agentserver)",
  "- Python: [`pulumi-agentserver`](https://pypi.org/project/pulumi-agentserver/)",
  "- Go and other languages: `pulumi package add agentserver` generates the SDK",
  "- YAML: nothing to install",
  "",
  "Pulumi downloads the plugin at the first run. It needs Node 22.12 or newer on `PATH`. To install it by hand:",
  "",
  ...fenced({ language: "sh", text: "pulumi plugin install resource agentserver <version>" }),
  "## Configuration",
  "",
  ...fenced({
    language: "sh",
    text: [
      "pulumi config set agentserver:baseUrl https://api.host.langchain.com",
      "pulumi config set agentserver:dialect langsmith",
      "pulumi config set agentserver:workspaceId <id of the workspace>",
      "pulumi config set --secret agentserver:apiKey",
    ].join("\n"),
  }),
  "Or in the environment:",
  "",
  ...fenced({
    language: "sh",
    text: ["baseUrl", "dialect", "workspaceId", "apiKey"]
      .map((name) => `export ${variableOf(name)}=<${name}>`)
      .join("\n"),
  }),
];

/** The settings, with the variables of the environment that have them too. */
function configuration(settings: Properties): string[] {
  return Object.entries(settings).map(([name, { description = "" }]) => {
    const [text] = description.split("\n\n");
    const variable = variableOf(name);
    return `- \`${NAMESPACE}${name}\`${variable ? ` (environment: \`${variable}\`)` : ""}: ${text}`;
  });
}

/** The registry has no other page of the repository. */
function readOn(): string {
  return `The [documents](${repositoryAddress()}/blob/main/README.md) say what a change does, and how to recover from a failure.`;
}
