import { TAKEN } from "../../provider/resource/find";
import { showsSecret } from "./leaks";

/** A risk that no rule can avoid, and that the documents name. A schedule that meets it counts it. */
export type Risk =
  /** The state records an interrupted create, and another one has made just that since. */
  | "interrupted"
  /** The same, where the state only has the placeholder id of a create that was never confirmed. */
  | "unconfirmed"
  /** Both make the same within a second, and the response to one of them is lost. */
  | "raced"
  /** A state that was imported from the other one has the same things. */
  | "imported"
  /** The program says to adopt what another one has, or another resource of its own state, which could not be read. */
  | "adopted";

/** The creator of what people make on the service. */
export const BY_HAND = "by hand";

/** The creator of a thing, the time, and the place among makings and messages. */
interface Making {
  readonly by: string;
  readonly atMs: number;
  readonly place: number;
}

/** The creator of each thing: it belongs to the program whose create made it, whatever becomes of that program's state. */
export class Ledger {
  readonly #makers = new Map<string, Making>();
  /** The creator of the thing that had an id before. */
  readonly #former = new Map<string, Set<string>>();
  /** The place of a risk: things that a program may have from then on. */
  readonly #excused = new Set<string>();
  /** Things that two states have, since one was imported from the other or met a risk. */
  readonly shared = new Set<string>();
  /** Threads in which people have talked. */
  readonly used = new Set<string>();
  /** Things that left a state and stay, by `retainOnDelete`. */
  readonly retained = new Set<string>();
  readonly risks = new Set<Risk>();
  readonly violations: string[] = [];
  /** The messages of the commands. */
  readonly #said: { readonly by: string; readonly text: string; readonly place: number }[] = [];
  /** Number of makings and messages. */
  #places = 0;

  made(id: string, by: string, atMs: number, isLate = false): void {
    const former = this.#makers.get(id)?.by;
    if (former !== undefined && former !== by)
      this.#former.set(id, (this.#former.get(id) ?? new Set()).add(former));
    // A create cannot know of what its request makes after its end.
    const place = isLate ? -1 : (this.#places += 1);
    this.#makers.set(id, { by, atMs, place });
    // The thread of a replacement may have the id of the one before.
    this.used.delete(id);
  }

  /** A person has given it to another program, or moved it to another state. */
  give(id: string, to: string): void {
    this.#makers.set(id, { by: to, atMs: Number.NEGATIVE_INFINITY, place: -1 });
  }

  /** Whether a program has made the thing of this id, or the one that was there before. */
  hasMade(id: string, by: string): boolean {
    return this.#makers.get(id)?.by === by || this.#former.get(id)?.has(by) === true;
  }

  excuse(id: string, by: string, risk: Risk): void {
    this.#excused.add(`${by} ${id}`);
    this.shared.add(id);
    this.risks.add(risk);
  }

  isExcused(id: string, by: string): boolean {
    return this.#excused.has(`${by} ${id}`);
  }

  makerOf(id: string): Making | undefined {
    return this.#makers.get(id);
  }

  /** `by` is the resource about which it was said. */
  record(by: string, text: string): void {
    this.#said.push({ by, text, place: (this.#places += 1) });
    if (showsSecret(text)) this.violations.push(`a message shows a secret: ${text}`);
  }

  /** The things that a program has made. */
  madeBy(by: string): string[] {
    return [...this.#makers].filter(([, maker]) => maker.by === by).map(([id]) => id);
  }

  /** The place of what was made or said last. */
  get place(): number {
    return this.#places;
  }

  /** Things that a program has made after a place, and of which it has said since that they are others'. */
  leftBy(part: string, after: number): string[] {
    const made = [...this.#makers].filter(([, { by, place }]) => by === part && place > after);
    return made.filter(([id, { place }]) => this.#isLeft(part, id, place)).map(([id]) => id);
  }

  /** A delete that keeps a later create's thing is right. */
  #isLeft(part: string, id: string, after: number): boolean {
    const words = [
      `deployment ${id} has this name`,
      `listener ${id} exists`,
      `OAuth provider ${id} exists`,
      `keeps thread ${id} at`,
      `assistant ${id} exists`,
      `cron ${id} carries the mark`,
    ];
    const said = this.#said.filter(({ by, place }) => by === part && place > after);
    return said.some(({ text }) => words.some((left) => text.includes(left)));
  }

  /** Whether a rollback has said that it could not interrupt a revision, as where its key has expired. */
  mayServe(id: string): boolean {
    const words = `revision ${id}, which only puts variables back, could not be interrupted`;
    return this.#said.some(({ text }) => text.includes(words));
  }

  /** Whether a delete has said that it keeps the thing of a later create. */
  isKept(id: string): boolean {
    return this.#said.some(({ text }) => text.includes(`${id}: ${TAKEN}`));
  }

  /** Whether an error or a warning has named it. */
  hasNamed(id: string): boolean {
    return this.#said.some(({ text }) => text.includes(id));
  }
}
