import { type Checkpoint, inStack, renamed, type Stored } from "./checkpoint";
import type { Engine } from "./engine";
import type { StackName } from "./history";
import type { Part } from "./part";
import type { Declared, StepError } from "./provider";

/** A stack: a program, and the state of what it has created. */
export class Stack {
  readonly name: StackName;
  readonly engine: Engine;
  readonly parts: Part[] = [];
  /** Former states, the oldest first. */
  readonly exports: Checkpoint[] = [];
  /** The errors of the last command. */
  lastErrors: readonly StepError[] = [];
  /** Whether an older state, or another one, has taken the place of its own: changes may be sent once more. */
  isRestored = false;
  /** Only a refresh shows changes by other clients, by a late request, or by a deletion that was lost. */
  needsRefresh = false;
  readonly #partOfUrn = new Map<string, Part>();

  constructor(name: StackName, engine: Engine) {
    this.name = name;
    this.engine = engine;
  }

  /** What the program declares now. */
  program(): Declared[] {
    const all = this.parts.map((part) => [part, part.declared()] as const);
    for (const [part, { urn }] of all) this.know(urn, part);
    return all.filter(([{ isDeclared }]) => isDeclared).map(([, declared]) => declared);
  }

  /** Whether the state has it. */
  holds(id: string): boolean {
    return this.holderOf(id) !== undefined;
  }

  /** The resource that has it in the state. */
  holderOf(id: string): Part | undefined {
    const found = this.engine.state.find((stored) => stored.id === id && !stored.isGone);
    return found && this.partOf(found.urn);
  }

  /** The resource that has, or had, this URN. */
  partOf(urn = ""): Part {
    const found = this.#partOfUrn.get(urn) ?? this.parts[0];
    if (found === undefined) throw new Error("a stack has a program");
    return found;
  }

  /** The entries of a resource in the state. */
  storedOf(part: Part): Stored[] {
    return this.engine.state.filter(({ urn }) => this.partOf(urn) === part);
  }

  /** The resources of these numbers, which may exceed the number of resources. */
  numbered(numbers: readonly number[]): Part[] {
    return this.parts.filter((_, at) => numbers.some((one) => one % this.parts.length === at));
  }

  /** As `pulumi stack rename`. */
  rename(stack: string): void {
    for (const { place } of this.parts) place.stack = stack;
    this.load(this.engine.checkpoint);
  }

  /** As `pulumi stack import`, of a state of this stack or another. */
  load(checkpoint: Checkpoint): void {
    this.program();
    const stack = this.parts[0]?.place.stack ?? "test";
    for (const { urn } of [...checkpoint.resources, ...checkpoint.creating])
      this.know(inStack(urn, stack), this.partOf(urn));
    this.engine.load(renamed(checkpoint, (urn) => inStack(urn, stack)));
  }

  /** Says which resource a URN of another stack's state belongs to here. */
  know(urn: string, part: Part): void {
    this.#partOfUrn.set(urn, part);
  }
}
