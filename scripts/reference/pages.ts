import type { Effect } from "../../provider/arguments/argument";
import { dynamicToken, type ResourceTypeName, nativeToken } from "../../provider/resource-types";
import { LIFECYCLES } from "../../provider/lifecycles";
import type { PackageSpec } from "../schema/package";
import { nameIn, type Properties } from "../schema/spec";
import { fenced, programsIn, textBeforePrograms } from "./programs";
import { anchorOf, tablesOf } from "./tables";

const EFFECTS: Readonly<Record<Effect, string>> = {
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
  /** What a change of a setting does, where it is more than "in place". */
  readonly settings?: string;
  /** The sections of `docs/failures.md` that are about it alone. */
  readonly failures?: readonly string[];
}

const ON_SERVER = "https://support.example.com";
const RESOURCE_TYPE_FACTS: Readonly<Record<ResourceTypeName, ResourceTypeFacts>> = {
  Deployment: {
    id: "<id>",
    guide: "resources.md#deployment",
    settings: "in place, without a revision",
    failures: ["A revision failed"],
  },
  Listener: { id: "<id>", guide: "changes.md#replace-a-listener" },
  OAuthProvider: { id: "<slug>", guide: "changes.md#change-other-resources" },
  Thread: { id: `${ON_SERVER}/threads/<id>`, guide: "resources.md#thread" },
  Assistant: {
    id: `${ON_SERVER}/assistants/<id>`,
    guide: "assistants.md",
    settings: "one new version",
    failures: ["An assistant fails"],
  },
  Cron: { id: `${ON_SERVER}/runs/crons/<id>`, guide: "crons.md", failures: ["A cron fails"] },
};

/** The page of a resource. */
export function resourcePage(kind: ResourceTypeName, spec: PackageSpec): string[] {
  const { description, inputProperties, requiredInputs, properties, required } =
    spec.resources[nativeToken(kind)] ?? missing(kind);
  const { id, guide, settings = EFFECTS.settings, failures = [] } = RESOURCE_TYPE_FACTS[kind];
  const { arguments: rows } = LIFECYCLES[kind];
  const sections = [...failures, "A create was refused", "A replacement was refused"];
  const seen = new Map<string, string>();
  const inputs = { properties: inputProperties, required: requiredInputs, path: "" };
  const [same = [], own = []] = [true, false].map((isInput) =>
    Object.entries(properties).filter(([name]) => name in inputProperties === isInput),
  );
  const [last, ...others] = ["id", ...same.map(([name]) => name)]
    .map((name) => `\`${name}\``)
    .toReversed();
  const outputs = { properties: Object.fromEntries(own), required, path: "" };
  return [
    ...introduction(
      kind,
      description,
      `Its type is \`${nativeToken(kind)}\`, and \`${dynamicToken(kind)}\` where TypeScript imports \`pulumi-agentserver\`. [More about it](../${guide}).`,
    ),
    "## Import",
    "",
    `With the [native provider](../native.md#import):`,
    "",
    ...fenced({ language: "sh", text: `pulumi import ${nativeToken(kind)} support ${id}` }),
    "## Arguments",
    "",
    ...tablesOf(inputs, spec, { rows, effects: { ...EFFECTS, settings } }, seen),
    "## Outputs",
    "",
    `${[others.toReversed().join(", "), last].filter(Boolean).join(" and ")} as the service has them, and:`,
    "",
    ...tablesOf(outputs, spec, undefined, seen),
    "## Messages",
    "",
    `${sections.map(linkTo).join(", ")}. ${requestMessages(inputProperties)}`,
  ];
}

/** The page of the resource `Provider`. */
export function providerPage(spec: PackageSpec): string[] {
  const { description, inputProperties } = spec.provider;
  return [
    ...introduction(
      "Provider",
      description,
      "Its type is `pulumi:providers:agentserver`, and `pulumi:providers:pulumi-nodejs` where TypeScript imports `pulumi-agentserver`. The [settings](../settings.md) of a stack have the same names.",
    ),
    "## Arguments",
    "",
    ...tablesOf({ properties: inputProperties, required: [], path: "" }, spec, { rows: [] }),
  ];
}

/** The page of a function. */
export function functionPage(token: string, spec: PackageSpec): string[] {
  const { description, inputs, outputs } = spec.functions[token] ?? missing(token);
  const name = nameIn(token);
  const seen = new Map<string, string>();
  const table = inputs && tablesOf({ ...inputs, path: "" }, spec, { rows: [] }, seen);
  return [
    ...introduction(
      name,
      description,
      `\`${name}\` returns a promise, and \`${name}Output\` an output: see [Functions](../functions.md).`,
    ),
    ...(table ? ["## Arguments", "", ...table] : []),
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

const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  yaml: "YAML",
};

/** The head of a page: its description, a note below it, and the examples. */
function introduction(name: string, description: string, note: string): string[] {
  const programs = programsIn(description).flatMap((program) => [
    `### ${LANGUAGES[program.language]}`,
    "",
    ...fenced(program),
  ]);
  const text = textBeforePrograms(description);
  return [`# ${name}`, "", text, "", note, "", "## Example", "", ...programs];
}

function linkTo(heading: string): string {
  return `[${heading}](../failures.md#${anchorOf(heading)})`;
}

/** What a request to the server that `inputs` name may end with. */
function requestMessages(inputs: Properties = {}): string {
  const isOfAgent = "deploymentUrl" in inputs;
  return `Those of every request: ${linkTo(isOfAgent ? "An agent server does not respond" : "The control plane responds with an error")}.`;
}

function missing(name: string): never {
  throw new Error(`the schema has no ${name}`);
}
