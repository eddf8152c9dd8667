import type { Effect } from "../../provider/arguments/argument";
import { dynamicToken, type ResourceTypeName, nativeToken } from "../../provider/resource-types";
import { LIFECYCLES } from "../../provider/lifecycles";
import { nameIn, type PackageSpec, type Properties } from "../schema/spec";
import { fenced, programsIn, textBeforePrograms } from "./programs";
import { anchorOf, tablesOf } from "./tables";

type Effects = Readonly<Record<Effect, string>>;

const IN_PLACE: Effects = {
  replace: "replaces it",
  revision: "one new revision",
  settings: "in place",
  none: "only the state",
};

/** What a page of a kind says that no table of the code has. */
interface ResourceTypeFacts {
  /** What `pulumi import` takes. */
  readonly id: string;
  /** The guide, from `docs/`. */
  readonly guide: string;
  readonly effects: Effects;
  /** The sections of `docs/failures.md` that are about it alone. */
  readonly failures?: readonly string[];
}

const RESOURCE_TYPE_FACTS: Readonly<Record<ResourceTypeName, ResourceTypeFacts>> = {
  Deployment: {
    id: "<id>",
    guide: "resources.md#deployment",
    effects: { ...IN_PLACE, settings: "in place, without a revision" },
    failures: ["A revision failed"],
  },
  Listener: { id: "<id>", guide: "changes.md#replace-a-listener", effects: IN_PLACE },
  OAuthProvider: { id: "<slug>", guide: "changes.md#change-other-resources", effects: IN_PLACE },
  Thread: {
    id: "https://support.example.com/threads/<id>",
    guide: "resources.md#thread",
    effects: IN_PLACE,
  },
  Assistant: {
    id: "https://support.example.com/assistants/<id>",
    guide: "assistants.md",
    effects: { ...IN_PLACE, settings: "one new version" },
    failures: ["An assistant fails"],
  },
  Cron: {
    id: "https://support.example.com/runs/crons/<id>",
    guide: "crons.md",
    effects: IN_PLACE,
    failures: ["A cron fails"],
  },
};

/** The page of a resource. */
export function resourcePage(kind: ResourceTypeName, spec: PackageSpec): string[] {
  const { description, inputProperties, requiredInputs, properties, required } =
    spec.resources[nativeToken(kind)] ?? missing(kind);
  const { id, guide, effects, failures = [] } = RESOURCE_TYPE_FACTS[kind];
  const sections = [...failures, "A create was refused", "A replacement was refused"];
  const seen = new Map<string, string>();
  const inputs = { properties: inputProperties, required: requiredInputs, path: "" };
  const [same, own] = partition(properties, (name) => name in inputProperties);
  return [
    ...headOf(kind, description),
    `Its type is \`${nativeToken(kind)}\`, and \`${dynamicToken(kind)}\` where TypeScript imports \`pulumi-agentserver\`. [More about it](../${guide}).`,
    "",
    ...examplesOf(description),
    "## Import",
    "",
    `With the [native provider](../native.md#import):`,
    "",
    ...fenced({ language: "sh", text: `pulumi import ${nativeToken(kind)} support ${id}` }),
    "## Arguments",
    "",
    ...tablesOf(inputs, spec, { rows: LIFECYCLES[kind].arguments, effects }, seen),
    "## Outputs",
    "",
    `${list(["id", ...Object.keys(same)])} as the service has them, and:`,
    "",
    ...tablesOf({ properties: own, required, path: "" }, spec, undefined, seen),
    "## Messages",
    "",
    `${sections.map(linkTo).join(", ")}. ${requestMessages(inputProperties)}`,
  ];
}

/** The page of the resource `Provider`. */
export function providerPage(spec: PackageSpec): string[] {
  const { description, inputProperties } = spec.provider;
  const table = { properties: inputProperties, required: [], path: "" };
  return [
    ...headOf("Provider", description),
    "Its type is `pulumi:providers:agentserver`, and `pulumi:providers:pulumi-nodejs` where TypeScript imports `pulumi-agentserver`. The [settings](../settings.md) of a stack have the same names.",
    "",
    ...examplesOf(description),
    "## Arguments",
    "",
    ...tablesOf(table, spec, { rows: [] }),
  ];
}

/** The page of a function. */
export function functionPage(token: string, spec: PackageSpec): string[] {
  const { description, inputs, outputs } = spec.functions[token] ?? missing(token);
  const name = nameIn(token);
  const seen = new Map<string, string>();
  return [
    ...headOf(name, description),
    `\`${name}\` returns a promise, and \`${name}Output\` an output: see [Functions](../functions.md).`,
    "",
    ...examplesOf(description),
    ...(inputs
      ? ["## Arguments", "", ...tablesOf({ ...inputs, path: "" }, spec, { rows: [] }, seen)]
      : []),
    "## Result",
    "",
    ...tablesOf({ ...outputs, path: "" }, spec, undefined, seen),
    "## Messages",
    "",
    requestMessages(inputs?.properties),
  ];
}

/** The list of all pages. */
export function indexPage({ resources, provider, functions }: PackageSpec): string[] {
  const row = ([token, { description }]: [string, { readonly description: string }]): string =>
    `| [\`${nameIn(token)}\`](${nameIn(token)}.md) | ${/^.*?\.(?=\s)/.exec(description)?.[0] ?? ""} |`;
  return [
    "# Reference",
    "",
    "Arguments, outputs, defaults and the effect of a change of every resource and function. [Change a deployment](../changes.md) says what the words about changes mean.",
    "",
    "| resource | |",
    "|---|---|",
    ...Object.entries({ ...resources, Provider: provider }).map(row),
    "",
    "| [function](../functions.md) | |",
    "|---|---|",
    ...Object.entries(functions).map(row),
  ];
}

function headOf(name: string, description: string): string[] {
  return [`# ${name}`, "", textBeforePrograms(description), ""];
}

const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  yaml: "YAML",
};

function examplesOf(description: string): string[] {
  const programs = programsIn(description).flatMap((program) => [
    `### ${LANGUAGES[program.language]}`,
    "",
    ...fenced(program),
  ]);
  return ["## Example", "", ...programs];
}

function linkTo(heading: string): string {
  return `[${heading}](../failures.md#${anchorOf(heading)})`;
}

/** What a request to the server that `inputs` name may end with. */
function requestMessages(inputs: Properties = {}): string {
  const isOfAgent = "deploymentUrl" in inputs;
  return `Those of every request: ${linkTo(isOfAgent ? "An agent server does not respond" : "The control plane responds with an error")}.`;
}

function partition(
  properties: Properties,
  isFirst: (name: string) => boolean,
): [Properties, Properties] {
  const entries = Object.entries(properties);
  return [
    Object.fromEntries(entries.filter(([name]) => isFirst(name))),
    Object.fromEntries(entries.filter(([name]) => !isFirst(name))),
  ];
}

function list(names: readonly string[]): string {
  const [last, ...others] = names.map((name) => `\`${name}\``).toReversed();
  return others.length === 0 ? `${last}` : `${others.toReversed().join(", ")} and ${last}`;
}

function missing(name: string): never {
  throw new Error(`the schema has no ${name}`);
}
