import { momentIn } from "../../shared/moment";

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
] as const;

/** A time span as one number: `45s`, `12m`, `3h`, `5d`. */
export function span(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** The seconds from one time to another, both in ISO 8601; undefined without one of them. */
export function secondsBetween(
  from: string | null | undefined,
  to: string | Date | null | undefined,
): number | undefined {
  const msOf = (time: string | Date) =>
    typeof time === "string" ? momentIn(time) : time.getTime();
  const seconds = (msOf(to ?? "") - msOf(from ?? "")) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
