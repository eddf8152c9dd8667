/** One thing that was measured, in several repetitions; smaller is better where it has a goal. */
export interface Figure {
  readonly name: string;
  /** Printed after each value: `ms`, `MB`, `/s`, `×` for a ratio. */
  readonly unit: string;
  /** One value for each repetition, in their order. */
  readonly values: readonly number[];
  /** The goal, in the same unit. */
  readonly atMost?: number;
  /** How much of each value was spent waiting for a CPU that others used. */
  readonly waited?: readonly number[];
}

/** Figures about one subject. */
export interface Row {
  readonly name: string;
  readonly figures: readonly Figure[];
}

/** Rows with the same figures. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Whether a goal holds; `noisy`: this run can't tell. */
export type Verdict = "holds" | "missed" | "noisy";

/** What scripts get of a figure. */
export interface Summary {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly repetitions: number;
  readonly atMost?: number;
  readonly verdict?: Verdict;
}

/** The value below which this share (0 to 1) of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/**
 * Three quarters of the repetitions decide. Where they do not agree, or miss the goal only by the time that they waited
 * for a CPU, the run was too noisy to tell.
 */
export function judge({ values, waited = [] }: Figure, atMost: number): Verdict {
  if (quantile(values, 0.75) <= atMost) return "holds";
  const own = values.map((value, repetition) => value - (waited[repetition] ?? 0));
  return quantile(own, 0.25) > atMost ? "missed" : "noisy";
}

/** Median, spread and, for a figure with a goal, the verdict. */
export function summarise(figure: Figure): Summary {
  const { name, unit, values, atMost } = figure;
  return {
    name,
    unit,
    median: quantile(values, 0.5),
    min: Math.min(...values),
    max: Math.max(...values),
    repetitions: values.length,
    ...(atMost === undefined ? {} : { atMost, verdict: judge(figure, atMost) }),
  };
}

/**
 * How many times as much each repetition of a row came to as the same repetition of another; `atMost` has goals by the
 * names of figures.
 */
export function over(row: Row, base: Row, atMost: Readonly<Record<string, number>> = {}): Row {
  const ratio = ({ name, values }: Figure, place: number): Figure => {
    const goal = atMost[name];
    const others = base.figures[place]?.values ?? [];
    return {
      name,
      unit: "×",
      values: values.map((value, repetition) => value / (others[repetition] ?? NaN)),
      ...(goal === undefined ? {} : { atMost: goal }),
    };
  };
  return { name: `${row.name} : ${base.name}`, figures: row.figures.map(ratio) };
}
