import { over, type Figure, type Row } from "../figure";
import { FLOORS, type Kind, KINDS, NATIVE, OURS } from "./kinds";

/** How many times as much as a floor ours may take, by the floor. */
export type Goals = Readonly<Partial<Record<Kind, number>>>;

/** How many times as much as ours the native provider may take, by the name of a figure. */
export type NativeGoals = Readonly<Record<string, number>>;

/**
 * A row for each kind, the ratio of ours and each floor in the first figure, and of the native provider and ours in all.
 */
export function compareKinds(
  goals: Goals,
  nativeGoals: NativeGoals,
  figuresOf: (kind: Kind) => Figure[],
): Row[] {
  const rowOf = (kind: Kind): Row => ({ name: kind, figures: figuresOf(kind) });
  const firstOf = (kind: Kind): Row => ({ name: kind, figures: figuresOf(kind).slice(0, 1) });
  const ratios = FLOORS.map((floor) => {
    const goal = goals[floor];
    const name = figuresOf(floor)[0]?.name ?? "";
    return over(firstOf(OURS), firstOf(floor), goal === undefined ? {} : { [name]: goal });
  });
  const counted = (kind: Kind): Row => ({
    name: kind,
    figures: figuresOf(kind).filter(({ name }) => name !== "requests"),
  });
  return [...KINDS.map(rowOf), ...ratios, over(counted(NATIVE), counted(OURS), nativeGoals)];
}
