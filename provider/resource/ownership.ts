import { messageOf } from "../../shared/errors";
import { optionsIn } from "../arguments/option-inputs";
import { type Props, sameKnown, visibleOf } from "../arguments/props";
import type { Context } from "./context";
import type { Recorded, StackState } from "./stack-state";
import { isPlaceholder } from "./indeterminate-create";
import { identityOf, typeOf } from "../../shared/urn";

/** The record, in the state of the stack, of a thing that a create finds in the place of its own. */
export type Ownership =
  | {
      /** A resource of the state has it. */
      readonly says: "held";
      /** The URN of that resource. */
      readonly by: string;
      /** Whether the process of this create serves that resource too. */
      readonly isServedHere: boolean;
    }
  | {
      /** Creates of this resource have not ended, besides the one that runs: it may be the thing of one of them. */
      readonly says: "interrupted";
      /** The inputs of each interrupted create. */
      readonly inputs: readonly Props[];
      /** Whether the state goes on recording one of them. */
      readonly isPending: boolean;
    }
  | { readonly says: "nothing" }
  | { readonly says: "unreadable"; readonly reason: string };

/** The parts of a context that a question to the state needs. */
type Asking = Pick<Context, "urn" | "processCache" | "readState">;

/** Asks the state of the stack about the thing of an id, for the create of these inputs. */
export async function ownershipOf(context: Asking, id: string, inputs: Props): Promise<Ownership> {
  const { urn = "", processCache } = context;
  const attempt = processCache.retryRecords.get(urn);
  const retried = attempt && isPlaceholder(attempt.id) ? [attempt.outs] : [];
  let state: StackState;
  try {
    state = await context.readState();
  } catch (error) {
    if (retried.length > 0) return { says: "interrupted", inputs: retried, isPending: false };
    return { says: "unreadable", reason: messageOf(error) };
  }
  const creates = state.creating.filter((create) => create.urn === urn);
  const holder = state.resources.find((other) => other.id === id && holds(other, urn));
  if (holder !== undefined) {
    const isServedHere = creates.some(({ provider }) => provider === holder.provider);
    return { says: "held", by: holder.urn, isServedHere };
  }
  const pending = interruptedAmong(creates, inputs).map(inputsOf);
  const indeterminate = state.resources
    .filter((other) => isIndeterminate(other, urn))
    .map(inputsOf);
  const interrupted = [...retried, ...indeterminate, ...pending];
  if (interrupted.length === 0) return { says: "nothing" };
  return { says: "interrupted", inputs: interrupted, isPending: pending.length > 0 };
}

/** Whether a resource has what its id names, of the same kind. One that is replaced was deleted, and an id may be a name. */
function holds({ urn, external, pendingReplacement }: Recorded, ofUrn: string): boolean {
  return !external && !pendingReplacement && typeOf(urn) === typeOf(ofUrn);
}

/**
 * The creates of a resource without the one that runs, which is the one of the same inputs. Where that replaces something,
 * an interrupted one of something else has been followed by a create that ended.
 */
function interruptedAmong(creates: readonly Recorded[], inputs: Props): Recorded[] {
  const visible = visibleOf(inputs);
  const isRunning = (create: Recorded) => sameKnown(visibleOf(inputsOf(create)), visible);
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
  return ownership.says === "interrupted" && ownership.inputs.some(wouldCreate);
}

/**
 * Whether what a create finds may be its own resource's: where the state cannot be read, a forced replacement that creates
 * first would adopt that and then delete it.
 */
export function mayBeReplaced(ownership: Ownership, inputs: Props): boolean {
  return ownership.says === "unreadable" && optionsIn(inputs).replacementOrder !== "deletes first";
}

/** Reports the adoption of a thing, `deployment 0f3c…`: of what an interrupted create made, or what the program asks for. */
export function reportAdoption(
  { log }: Pick<Context, "log">,
  thing: string,
  ownership: Ownership,
  isOwn: boolean,
): void {
  if (isOwn) log.warn(adoptionOf(thing, ownership));
  else log.info(`adopted ${thing}`);
  if (ownership.says === "unreadable")
    log.warn(
      `could not check whether another resource of this stack has ${thing}: ${ownership.reason}`,
    );
}

/** The adoption of its own, as a warning reports it. */
export function adoptionOf(thing: string, ownership: Ownership): string {
  const isPending = ownership.says === "interrupted" && ownership.isPending;
  const clear = isPending
    ? "; the state still records that create, until you run `pulumi refresh --clear-pending-creates`"
    : "";
  return `adopted ${thing}, which an interrupted create of this resource made${clear}`;
}

/** A thing that a create must leave to whoever has it. */
interface Taken {
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

/** Why a thing is not adopted, what differs in it, and every way out. */
export function refusalOf(
  { urn = "", canImport }: Pick<Context, "urn" | "canImport">,
  { id, ownership, inputs, differences, adoption, otherwise }: Taken,
): string {
  const command = `pulumi import ${typeOf(urn)} ${identityOf(urn).logicalName} ${id}`;
  const toImport = canImport ? [`to manage it here, run \`${command}\``] : [];
  const aliased = "if this program has it under another name or type, set the option aliases";
  const toAdopt =
    inputs["adoptExisting"] === true && mayBeReplaced(ownership, inputs)
      ? [`to adopt it, run \`pulumi up\` again when the state can be read${orDeleteFirst(inputs)}`]
      : adoption;
  const waysOut =
    ownership.says === "held"
      ? [waysOutOfHeld(ownership.by, urn, inputs)]
      : [...(ownership.says === "unreadable" ? [aliased] : []), ...toImport, ...toAdopt];
  return [
    whatIsKnown(ownership, urn),
    differences.length > 0 ? `it differs in ${differences.join(", ")}` : "it has what is declared",
    ...waysOut,
    `else ${otherwise}`,
  ].join("; ");
}

function whatIsKnown(ownership: Ownership, urn: string): string {
  switch (ownership.says) {
    case "held":
      return `and the state has it as ${ownership.by === urn ? "this resource" : ownership.by}`;
    case "interrupted":
      return "and it is not what the interrupted create of this resource, which the state records, would have created";
    case "nothing":
      return "and the state of this stack records neither it nor an interrupted create of this resource";
    case "unreadable":
      return `and whether an interrupted create of this resource made it is not known, since the state of this stack could not be read (${ownership.reason})`;
  }
}

/** The native provider never learns of the option. */
function orDeleteFirst(inputs: Props): string {
  const isSaid = optionsIn(inputs).replacementOrder === "creates first";
  return isSaid ? ", or remove the option deleteBeforeReplace: false" : "";
}

export function waysOutOfHeld(holder: string, urn: string, inputs: Props): string {
  if (holder !== urn)
    return `if this is the same resource under another name or type, set the option aliases: ["${holder}"]; if it hands the name over, run \`pulumi destroy --target '${holder}'\`, then \`pulumi up\``;
  return optionsIn(inputs).replacementOrder === "creates first"
    ? "to replace it, remove the option deleteBeforeReplace: false"
    : "to replace it, set the option deleteBeforeReplace: true";
}
