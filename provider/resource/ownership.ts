import { messageOf } from "../../shared/errors";
import { optionsIn, type SeenOptions } from "../arguments/option-inputs";
import { type Props, sameInputs } from "../arguments/props";
import type { Context } from "./context";
import { inLines } from "./errors";
import type { Recorded, StackState } from "./stack-state";
import { isPlaceholder } from "./placeholder";
import { quoted, shellWord } from "../../shared/shell";
import { identityOf, typeOf } from "../../shared/urn";

/** What the state of the stack records of a thing that a create finds where it would create one. */
export type Ownership = {
  /** The options by which `pulumi import` takes it as the resource that is created. @default none */
  readonly importOptions?: string;
} & (
  | {
      /** A resource of the state has it. */
      readonly status: "recorded";
      /** The URN of that resource. */
      readonly by: string;
      /** Whether the process of this create serves that resource too. */
      readonly isServedHere: boolean;
    }
  | {
      /** Besides the create that runs, others of this resource have not ended: one of them may have created it. */
      readonly status: "interrupted";
      /** The inputs of each interrupted create. */
      readonly inputs: readonly Props[];
      /** Whether one of them is a pending operation of the state. */
      readonly isPending: boolean;
    }
  | {
      readonly status: "unrecorded";
      /** What the create replaces, by the state: this thing, which the option retainOnDelete has kept, or another one. */
      readonly replaces?: "it" | "another";
    }
  | { readonly status: "unreadable"; readonly reason: string }
);

/** What reads the state of the stack. */
type StateContext = Pick<Context, "urn" | "processCache" | "readState">;

/** Reads from the state of the stack who has an id, for the create of these inputs. */
export async function ownershipOf(
  context: StateContext,
  id: string,
  inputs: Props,
): Promise<Ownership> {
  const { urn = "", processCache } = context;
  const record = processCache.retryRecords.get(urn);
  const retried = record && isPlaceholder(record.id) ? [record.outs] : [];
  let state: StackState;
  try {
    state = await context.readState();
  } catch (error) {
    if (retried.length > 0) return { status: "interrupted", inputs: retried, isPending: false };
    return { status: "unreadable", reason: messageOf(error) };
  }
  const creates = state.creating.filter((create) => create.urn === urn);
  const holder = state.resources.find((other) => other.id === id && holds(other, urn));
  if (holder !== undefined) {
    const isServedHere = creates.some(({ provider }) => provider === holder.provider);
    // What it is to replace may still have the URN from before an alias.
    const by = processCache.owners.isOwner(id, urn) ? urn : holder.urn;
    return { status: "recorded", by, isServedHere };
  }
  const pending = interruptedAmong(creates, inputs).map(inputsOf);
  const indeterminate = state.resources
    .filter((other) => isIndeterminate(other, urn))
    .map(inputsOf);
  const interrupted = [...retried, ...indeterminate, ...pending];
  const importOptions = importOptionsOf(creates[0]);
  const forImport = importOptions !== "" && { importOptions };
  if (interrupted.length === 0)
    return { status: "unrecorded", ...replacedIn(state, urn, id), ...forImport };
  const isPending = pending.length > 0;
  return { status: "interrupted", inputs: interrupted, isPending, ...forImport };
}

/** Without its parent an import has another URN, and without its provider it asks the one of the stack's settings. */
function importOptionsOf({ parent, provider }: Partial<Recorded> = {}): string {
  const isChild = parent && typeOf(parent) !== "pulumi:pulumi:Stack";
  const providerUrn = provider?.replace(/::[^:]*$/, "") ?? "";
  // The engine knows its default providers by their names too: `default_0_1_0`.
  const isDefault = /^(default(_.*)?)?$/.test(identityOf(providerUrn).logicalName);
  const forParent = isChild ? ` --parent ${quoted(`parent=${parent}`)}` : "";
  return isDefault ? forParent : `${forParent} --provider ${quoted(`provider=${providerUrn}`)}`;
}

function replacedIn({ resources }: StackState, urn: string, id: string) {
  const ids = resources.filter((other) => other.urn === urn).map((other) => other.id);
  return ids.length > 0 && ({ replaces: ids.includes(id) ? "it" : "another" } as const);
}

/** Whether a resource has what its id names, of the same kind. One that is replaced was deleted, and an id may be a name. */
function holds({ urn, external, pendingReplacement }: Recorded, ofUrn: string): boolean {
  return !external && !pendingReplacement && typeOf(urn) === typeOf(ofUrn);
}

/**
 * The creates of a resource that do not run. The one that runs has the same inputs. Where that replaces something,
 * an interrupted one of something else has been followed by a create that ended.
 */
function interruptedAmong(creates: readonly Recorded[], inputs: Props): Recorded[] {
  const isRunning = (create: Recorded) => sameInputs(inputsOf(create), inputs);
  const running = Math.max(creates.findIndex(isRunning), 0);
  const replaced = creates[running]?.created ?? undefined;
  return creates.filter(
    ({ created }, at) => at !== running && (replaced === undefined || created === replaced),
  );
}

function isIndeterminate(resource: Recorded, urn: string): boolean {
  return resource.urn === urn && isPlaceholder(resource.id ?? "");
}

function inputsOf({ inputs }: Recorded): Props {
  return inputs ?? {};
}

/** Whether one of the interrupted creates would have created it. */
export function isOwnBy(ownership: Ownership, wouldCreate: (inputs: Props) => boolean): boolean {
  return ownership.status === "interrupted" && ownership.inputs.some(wouldCreate);
}

/**
 * Whether `adoptExisting` suffices. Not for what a resource of the state has; nor, where the state cannot be read, for what a
 * forced replacement that creates first may be about to delete.
 */
export function mayAdopt(ownership: Ownership, order: SeenOptions["replacementOrder"]): boolean {
  if (ownership.status === "unreadable") return order === "deletes first";
  return ownership.status !== "recorded";
}

/** The way out of a create whose thing exists, with what whoever else has it loses: `it with its crons`. */
export function adviceToAdopt(lost: string): string {
  return `to adopt it, set adoptExisting: true until it is adopted; if another resource or stack has it, a destroy of either then deletes ${lost}`;
}

/** What the preview of a create says of a thing that it may adopt, once its name or id is known. */
export function describeAdoption(
  { adoptExisting }: Props,
  noun: string,
  name: unknown,
): string | undefined {
  const isSaid = adoptExisting === true && typeof name === "string";
  return isSaid ? `adopts ${noun} '${name}' if it exists` : undefined;
}

/** Reports the adoption of a thing, `deployment 0f3c…`: of what an interrupted create has created, or what the program asks for. */
export function reportAdoption(
  { log }: Pick<Context, "log">,
  thing: string,
  ownership: Ownership,
  isOwn: boolean,
): void {
  if (isOwn) log.warn(adoptionOf(thing, ownership));
  else log.info(`adopted ${thing}`);
  if (ownership.status === "unreadable")
    log.warn(
      `could not check whether another resource of this stack has ${thing}: ${ownership.reason}; if one has, run \`pulumi state delete\` on that one before the next \`pulumi up\`, which would delete it for both`,
    );
}

/** The warning about the adoption of what an interrupted create has created. */
export function adoptionOf(thing: string, ownership: Ownership): string {
  const isPending = ownership.status === "interrupted" && ownership.isPending;
  const clear = isPending
    ? "; the state still records that create, until you run `pulumi refresh --clear-pending-creates`"
    : "";
  return `adopted ${thing}, which an interrupted create of this resource made${clear}`;
}

/** An existing thing that a create must not adopt. */
interface Conflict {
  readonly id: string;
  readonly ownership: Ownership;
  /** The inputs of the create. */
  readonly inputs: Props;
  /** Names of the arguments in which it differs. */
  readonly differences: readonly string[];
  /** Advice for managing it here, besides an import. */
  readonly adoption: readonly string[];
  /** Advice for leaving it: `choose another name`. */
  readonly otherwise: string;
}

/** Why a thing is not adopted, what differs in it, and every way out: a line each. */
export function refusalOf(
  { urn = "", canImport }: Pick<Context, "urn" | "canImport">,
  { id, ownership, inputs, differences, adoption, otherwise }: Conflict,
): string {
  const { importOptions = "" } = ownership;
  const name = shellWord(identityOf(urn).logicalName);
  const command = `pulumi import ${typeOf(urn)} ${name} ${id}${importOptions}`;
  // Pulumi imports nothing as a resource that the state has.
  const isReplacement = ownership.status === "unrecorded" && ownership.replaces !== undefined;
  const toImport = canImport && !isReplacement ? [`to manage it here, run \`${command}\``] : [];
  const aliased = "if this program has it under another name or type, set the option aliases";
  const { replacementOrder } = optionsIn(inputs);
  const toAdopt =
    inputs["adoptExisting"] === true && !mayAdopt(ownership, replacementOrder)
      ? [`to adopt it, run \`pulumi up\` again when the state can be read${orDeleteFirst(inputs)}`]
      : adoption;
  const waysOut =
    ownership.status === "recorded"
      ? waysOutOfRecorded(ownership.by, urn, inputs)
      : [...(ownership.status === "unreadable" ? [aliased] : []), ...toImport, ...toAdopt];
  return inLines([
    whatIsKnown(ownership, urn),
    differences.length > 0 ? `it differs: ${differences.join(", ")}` : "it has what is declared",
    ...waysOut,
    `else ${otherwise}`,
  ]);
}

function whatIsKnown(ownership: Ownership, urn: string): string {
  switch (ownership.status) {
    case "recorded":
      return `and the state has it as ${ownership.by === urn ? "this resource" : ownership.by}`;
    case "interrupted":
      return "and it is not what the interrupted create of this resource, which the state records, would have created";
    case "unrecorded":
      if (ownership.replaces === "it")
        return "and the state has it as what this resource replaces, which the option retainOnDelete has kept";
      return "and the state of this stack records neither it nor an interrupted create of this resource";
    case "unreadable":
      return `and whether an interrupted create of this resource made it is not known, since the state of this stack could not be read (${ownership.reason})`;
  }
}

/** The native provider never learns of the option. */
function orDeleteFirst(inputs: Props): string {
  const createsFirst = optionsIn(inputs).replacementOrder === "creates first";
  return createsFirst ? ", or remove the option deleteBeforeReplace: false" : "";
}

export function waysOutOfRecorded(holder: string, urn: string, inputs: Props): string[] {
  if (holder !== urn)
    return [
      `if this is the same resource under another name or type, set the option aliases: ["${holder}"]`,
      `if it hands the name over, run \`pulumi destroy --target ${quoted(holder)}\`, then \`pulumi up\``,
    ];
  return optionsIn(inputs).replacementOrder === "creates first"
    ? ["to replace it, remove the option deleteBeforeReplace: false"]
    : ["to replace it, set the option deleteBeforeReplace: true"];
}
