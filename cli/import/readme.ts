import { oneLine } from "../../shared/printable";
import type { Settings } from "../../settings/settings";
import type { Found } from "./existing";
import type { FrontEnd, ImportedProject } from "./program";

/** What the README of an imported project is about. */
interface Imported {
  readonly frontEnd: FrontEnd;
  readonly found: readonly Found[];
  readonly notes: readonly string[];
  /** What other stacks manage, a sentence each. */
  readonly managed: readonly string[];
  readonly project: Pick<ImportedProject, "settings">;
  readonly settings: Pick<Settings, "baseUrl" | "workspaceId">;
  /** The options by which commands in its folder find that control plane. */
  readonly place: string;
  /** Whether its stack exists, with all its values. */
  readonly isConfigured: boolean;
}

/** `60 deployments, 1 listener`. */
export function summaryOf(found: readonly Found[]): string {
  const nouns = found.map(({ noun }) => noun);
  return [...new Set(nouns)]
    .map((noun) => [nouns.filter((one) => one === noun).length, noun] as const)
    .map(([count, noun]) => `${count} ${noun}${count > 1 ? "s" : ""}`)
    .join(", ");
}

/** How to go on: the steps to a clean preview, the values to set, and what was left out. */
export function readmeText(imported: Imported): string {
  const { frontEnd, found, notes, managed, project, place, isConfigured } = imported;
  const { baseUrl, workspaceId } = imported.settings;
  const steps = [
    "npm install",
    ...(isConfigured
      ? []
      : [
          "pulumi stack init prod",
          `npx pulumi-agentserver env --pulumi prod ${place}`,
          ...project.settings.map(({ key }) => `pulumi config set --secret ${key}`),
        ]),
    frontEnd === "native"
      ? "pulumi import --file import.json --generate-code=false --protect=false"
      : "pulumi up",
    "pulumi preview",
  ];
  return (
    [
      `# ${summaryOf(found)}`,
      "**No other stack or program may manage the same resources**: whichever is destroyed first deletes them.",
      ...section("Remove these from the program, or from the other stack's state", managed),
      "## Steps",
      oneLine(`From workspace ${workspaceId} of ${baseUrl}. In this folder run:`),
      ["```sh", ...steps, "```"].join("\n"),
      frontEnd === "native"
        ? "No step creates a revision, and the preview shows no change, but for a deployment whose newest revision failed: `pulumi up` creates a new one of it. From then on `pulumi destroy` deletes what was imported. `import.json` is no longer needed."
        : "`pulumi up` adopts, and creates no revision; the preview after it shows no change. The first one shows a create of each resource, since only `pulumi up` reads what exists. " +
          "A deployment whose newest revision failed is adopted with that failure, and later updates create new revisions of it: `pulumi up --continue-on-error` adopts the others too. " +
          "Then set `adoptExisting` to `false` in `index.ts`. From then on `pulumi destroy` deletes what was adopted.",
      ...section("Values", project.settings.map(settingText)),
      ...section("Left out", notes),
      ...section(
        "To correct before the preview",
        found.flatMap(({ noun, name, problems }) =>
          problems.map((problem) => `${noun} ${name}: ${problem}`),
        ),
      ),
      ...section(
        "Not shown by the service",
        found.some(({ kind }) => kind === "OAuthProvider")
          ? ["The client secrets of OAuth providers. They stay; set `clientSecret` to change one."]
          : [],
      ),
    ].join("\n\n") + "\n"
  );
}

function settingText({ key, variables }: ImportedProject["settings"][number]): string {
  const users = variables.map(({ deployment, name }) => `${name} of ${deployment}`);
  return `\`${key}\`: ${users.length > 0 ? users.join(", ") : "the key of the agent servers"}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : [`## ${title}`, lines.map((line) => `- ${oneLine(line)}`).join("\n")];
}
