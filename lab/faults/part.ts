import { optionInputs } from "../../provider/arguments/option-inputs";
import { deployment } from "./deployment";
import { type ResourceKind, SMALL_KINDS } from "./kinds";
import type { Declared } from "./provider";
import type { ResourceTypeName } from "./history";
import type { Random } from "./random";
import type { Subject } from "./subject";
import { type Place, rowOf } from "./trial";

/** The resource types that histories are made of. */
export const KINDS: Readonly<Record<ResourceTypeName, ResourceKind>> = {
  deployment,
  ...SMALL_KINDS,
};

/** A resource of a program, and its options. */
export class Part {
  /** Its stack and number, as in `A.0`. */
  readonly name: string;
  readonly kind: ResourceTypeName;
  readonly place: Place;
  readonly subject: Subject;
  /** Whether the program has it. */
  isDeclared = true;
  /** Whether its create failed, and none has succeeded since. */
  isUnfinished = false;
  /** Whether a process was killed in an operation on it, and no `up` has reached it since. */
  isInterrupted = false;
  aliases: readonly string[] = [];
  retains = false;
  /** Paths of inputs, as the option `ignoreChanges`. */
  ignored: readonly string[] = [];
  /** As the option; undefined where neither the program nor a class sets it. */
  deleteBeforeReplace: boolean | undefined;

  constructor(
    name: string,
    kind: ResourceTypeName,
    place: Place,
    subject: Subject,
    deleteBeforeReplace?: boolean,
  ) {
    this.name = name;
    this.kind = kind;
    this.place = place;
    this.subject = subject;
    this.deleteBeforeReplace = deleteBeforeReplace;
  }

  described(): string {
    const { kind, place, deleteBeforeReplace } = this;
    const order =
      deleteBeforeReplace === undefined ? "" : `, deleteBeforeReplace: ${deleteBeforeReplace}`;
    return `${kind} '${place.logicalName}', ${place.frontEnd} front end${order}`;
  }

  declared(): Declared {
    const declared = this.subject.declared();
    const { deleteBeforeReplace } = this;
    const ignoreChanges = this.ignored.length > 0 ? [...this.ignored] : undefined;
    // A class of the dynamic provider passes the options on; to a native one the engine does with some.
    const options = {
      ...(ignoreChanges && { ignoreChanges }),
      ...(deleteBeforeReplace !== undefined && { deleteBeforeReplace }),
    };
    const hidden = this.place.frontEnd === "dynamic" ? optionInputs(options) : {};
    return {
      ...declared,
      inputs: { ...declared.inputs, ...hidden },
      aliases: this.aliases,
      deleteBeforeReplace,
      ignoreChanges,
      retainOnDelete: this.retains || undefined,
    };
  }
}

/** The option of a first program: its own, that of a class, or that of another language, which has no classes. */
export function replacementOrder(
  { kind, frontEnd }: Pick<Part, "kind"> & Pick<Place, "frontEnd">,
  random: Random,
): boolean | undefined {
  if (random.chance(0.1)) return false;
  return frontEnd === "dynamic" || random.chance(0.5) ? orderOfClass(kind) : undefined;
}

/** The option that a class sets; with the dynamic provider there is no resource without one. */
export function orderOfClass(kind: ResourceTypeName): true | undefined {
  return rowOf(kind)?.isDeletedFirst ? true : undefined;
}
