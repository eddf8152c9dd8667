import type { Declared, Stored } from "./engine";

/** What a schedule is about: a program that changes, and the world that it is held against. */
export interface Subject {
  /** What the program declares at this time. */
  readonly program: () => readonly Declared[];
  /**
   * Changes the program; says how. What tells the thing apart stays while `isUnfinished`: a create that was lost finds its
   * own thing again by that alone.
   */
  readonly change: (isUnfinished: boolean) => string;
  /** Changes the world, as somebody else would; says how, or nothing where there is nothing to change. */
  readonly disturb: () => Promise<string | undefined>;
  /** Makes the service fail a little later; says how, or nothing where there is nothing to fail. */
  readonly doom: () => Promise<string | undefined>;
  /** Takes out of the program what keeps it from coming up in three tries. */
  readonly repair: () => void;
  /** Does in the program or the world what an error says; says what, or nothing where there is nothing to be done. */
  readonly obey: (error: string, state: readonly Stored[]) => Promise<string | undefined>;
  /** Called right before each `up`. */
  readonly before: () => Promise<void>;
  /** What is wrong with an `up` that is over; without an error it succeeded. */
  readonly wrongAfterUp: (error: string) => Promise<readonly string[]>;
  /** What is wrong once the last command has succeeded. */
  readonly wrongAtRest: (state: readonly Stored[]) => Promise<readonly string[]>;
  /** What is left on the service. */
  readonly leftovers: () => Promise<readonly string[]>;
}
