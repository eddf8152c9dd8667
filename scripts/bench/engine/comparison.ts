import { over, type Figure, type Row } from "../figure";
import { FLOORS, type Kind, KINDS, OURS } from "./kinds";

/** How many times as long as a floor ours may take. */
export type Goals = Readonly<Partial<Record<Kind, number>>>;

/** A row for each kind, and the ratio of ours and each floor in the first figure. */
export function compareKinds(goals: Goals, figuresOf: (kind: Kind) => Figure[]): Row[] {
  const rowOf = (kind: Kind): Row => ({ name: kind, figures: figuresOf(kind) });
  const timeOf = (kind: Kind): Row => ({ name: kind, figures: figuresOf(kind).slice(0, 1) });
  const ratios = FLOORS.map((floor) => {
    const goal = goals[floor];
    const name = figuresOf(floor)[0]?.name ?? "";
    return over(timeOf(OURS), timeOf(floor), goal === undefined ? {} : { [name]: goal });
  });
  return [...KINDS.map(rowOf), ...ratios];
}
