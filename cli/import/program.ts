import { recordOf } from "../../shared/records";
import { oneLine, printableJson } from "../../shared/printable";
import type { Found } from "./existing";
import { logicalNames, type Setting, settingsOf, variableOf } from "./names";
import { Code, identifiers, printValue } from "./typescript";

/** The front ends, one of which a program is written for. */
export const FRONT_ENDS = ["dynamic", "native"] as const;
export type FrontEnd = (typeof FRONT_ENDS)[number];

/** A project that adopts or imports what exists. */
export interface ImportedProject {
  /** The text of each file, by name. No text holds the value of a variable. */
  readonly files: Readonly<Record<string, string>>;
  /** The secret values that its configuration needs. */
  readonly settings: readonly Setting[];
  /** What the program declares. */
  readonly resources: readonly Readonly<Record<"kind" | "name" | "id", string>>[];
}

/** What goes into a project beside what was found. */
export interface ProjectOptions {
  readonly name: string;
  readonly frontEnd: FrontEnd;
  /** The dependency by which it gets this package. */
  readonly dependency: string;
  /** The key of the agent servers. */
  readonly agentKey?: string | undefined;
  /** Names of variables that are not secret. */
  readonly env?: readonly string[] | undefined;
}

/** The project for everything that was found. */
export function importedProject(
  existing: readonly Found[],
  { name, frontEnd, dependency, agentKey, env = [] }: ProjectOptions,
): ImportedProject {
  const found = existing.map((one) => ({ ...one, inputs: withEnv(one.inputs, env) }));
  const names = logicalNames(found);
  const nameOf = (one: Found): string => names.get(one) ?? one.name;
  const hasAgents = found.some(({ deployment }) => deployment !== undefined);
  const settings = settingsOf(found, hasAgents ? agentKey : undefined);
  const agentSetting = settings.find(({ variables }) => variables.length === 0)?.key;
  const keys = new Map(
    settings.flatMap(({ key, variables }) => variables.map((one) => [variableOf(one), key])),
  );
  const imports = found.map((one) => ({ type: one.type, name: nameOf(one), id: one.importId }));
  return {
    files: {
      "index.ts": programText(frontEnd, found, { nameOf, keys, agentSetting }),
      "Pulumi.yaml": projectText(name, frontEnd, settings),
      "package.json": packageText(name, dependency),
      "tsconfig.json": TSCONFIG,
      ".gitignore": "node_modules/\n",
      // A link would bring a second copy of Pulumi's SDK.
      ...(/^file:.*(?<!\.tgz)$/.test(dependency) && { ".npmrc": "install-links=true\n" }),
      ...(frontEnd === "native" && { "import.json": jsonText({ resources: imports }) }),
    },
    settings,
    resources: found.map((one) => ({ kind: one.kind, name: nameOf(one), id: one.id })),
  };
}

/** The arguments with the variables of these names in `env`: the service does not say which one is a secret. */
function withEnv(inputs: Found["inputs"], names: readonly string[]): Found["inputs"] {
  const { secrets, ...others } = inputs;
  const [shown = [], hidden = []] = [true, false].map((isShown) =>
    Object.entries(recordOf(secrets)).filter(([name]) => names.includes(name) === isShown),
  );
  if (shown.length === 0) return inputs;
  return { ...others, env: Object.fromEntries(shown), secrets: Object.fromEntries(hidden) };
}

interface Naming {
  readonly nameOf: (one: Found) => string;
  /** The settings' keys by their variables. */
  readonly keys: ReadonlyMap<string, string>;
  /** The setting's key of the agent servers' key. */
  readonly agentSetting: string | undefined;
}

function programText(frontEnd: FrontEnd, found: readonly Found[], naming: Naming): string {
  const { nameOf, keys, agentSetting } = naming;
  const identifierOf = identifiers();
  const referred = new Set(
    found.flatMap(({ inputs, deployment }) => [
      deployment?.id,
      recordOf(inputs["sourceConfig"])["listenerId"],
      inputs["assistantId"],
    ]),
  );
  const constants = new Map(
    found.filter(({ id }) => referred.has(id)).map((one) => [one.id, identifierOf(nameOf(one))]),
  );
  const declarations = found.map((one) => {
    const constant = constants.get(one.id);
    const values = argumentsOf(one, frontEnd, constants, naming);
    return [
      ...one.problems.map((problem) => `// TODO: correct before the preview: ${oneLine(problem)}`),
      `${constant === undefined ? "" : `const ${constant} = `}new agentserver.${one.kind}(` +
        `${JSON.stringify(nameOf(one))}, ${printValue(values)});`,
    ].join("\n");
  });
  const module = frontEnd === "native" ? "pulumi-agentserver/native" : "pulumi-agentserver";
  const hasSettings = keys.size > 0 || agentSetting !== undefined;
  return `${[
    [
      ...(hasSettings ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      `import * as agentserver from "${module}";`,
    ].join("\n"),
    ...(hasSettings ? ["const config = new pulumi.Config();"] : []),
    ...(agentSetting ? [`const apiKey = config.requireSecret("${agentSetting}");`] : []),
    ...(frontEnd === "dynamic" ? [ADOPTION] : []),
    ...declarations,
  ].join("\n\n")}\n`;
}

const ADOPTION = `// Each resource adopts what exists. Set this to false when the first \`pulumi up\` has run.
const adoptExisting = true;`;

/** The arguments with references in the place of ids and URLs, and settings in that of variables. */
function argumentsOf(
  { name: deployment, inputs, ...one }: Found,
  frontEnd: FrontEnd,
  constants: ReadonlyMap<unknown, string>,
  { keys, agentSetting }: Naming,
) {
  // The URL of the deployment stands for both.
  const { deploymentId: _id, deploymentUrl: _url, sourceConfig, ...given } = inputs;
  const { sourceRevisionConfig, secrets, adoptExisting: mustAdopt, ...rest } = given;
  const listener = constants.get(recordOf(sourceConfig)["listenerId"]);
  const server = constants.get(one.deployment?.id);
  const assistant = one.kind === "Cron" ? constants.get(inputs["assistantId"]) : undefined;
  const values = Object.keys(recordOf(secrets)).map((name) => [
    name,
    new Code(`config.requireSecret(${JSON.stringify(keys.get(variableOf({ deployment, name })))})`),
  ]);
  return {
    ...(server !== undefined && { deploymentUrl: new Code(`${server}.url`) }),
    ...(server !== undefined && agentSetting && { apiKey: new Code("apiKey") }),
    ...rest,
    ...(assistant !== undefined && { assistantId: new Code(`${assistant}.assistantId`) }),
    sourceConfig:
      listener === undefined
        ? sourceConfig
        : { ...recordOf(sourceConfig), listenerId: new Code(`${listener}.id`) },
    sourceRevisionConfig,
    secrets: values.length > 0 ? Object.fromEntries(values) : undefined,
    adoptExisting: mustAdopt ?? (frontEnd === "dynamic" ? new Code("adoptExisting") : undefined),
  };
}

/** Pulumi names all missing values of a stack at once where the project declares them. */
function projectText(name: string, frontEnd: FrontEnd, settings: readonly Setting[]): string {
  const keys = settings.map(
    ({ key }) => `  ${JSON.stringify(key)}: { type: string, secret: true }\n`,
  );
  return [
    `name: ${JSON.stringify(name)}\nruntime: nodejs\nmain: index.ts\n`,
    frontEnd === "native" ? PLUGINS : "",
    ...(keys.length > 0 ? ["config:\n", ...keys] : []),
  ].join("");
}

const PLUGINS = `plugins:
  providers: [{ name: agentserver, path: ./node_modules/pulumi-agentserver/dist/plugin }]
`;

function packageText(name: string, dependency: string): string {
  return jsonText({
    name,
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.217.0", "pulumi-agentserver": dependency },
    devDependencies: { "@types/node": "^22", typescript: "^5.9.0" },
  });
}

const TSCONFIG = jsonText({
  compilerOptions: {
    target: "es2022",
    module: "node16",
    moduleResolution: "node16",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
});

function jsonText(value: object): string {
  return `${printableJson(value, 2)}\n`;
}
