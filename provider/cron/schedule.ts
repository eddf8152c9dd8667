import { Cron } from "croner";
import { messageOf } from "../../shared/errors";

/** Agent servers read the seconds in the last of six fields, the library in the first. */
function read(schedule: string, timezone?: string): Cron {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length > 6)
    throw new Error("it has five fields, or six of which the last is the seconds");
  const seconds = fields.length === 6 ? fields.slice(5) : [];
  const text = [...seconds, ...fields.slice(0, 5)].join(" ");
  // Agent servers also take a first value and a step: `5/15`.
  return new Cron(text, { paused: true, sloppyRanges: true, ...(timezone && { timezone }) });
}

/** What is wrong with a schedule; undefined for nothing. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    if (read(schedule).nextRun() !== null) return undefined;
    return "never comes; set one that does";
  } catch (error) {
    const reason = messageOf(error).replace(/^CronPattern: /, "");
    return `is not a schedule (${reason}); set minute, hour, day of the month, month and day of the week, such as "0 9 * * 1-5"`;
  }
}

/** Whether a name is that of a time zone, in the case that agent servers read: here any is read, and an alias resolved. */
export function isTimezone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    const isAlias = timeZone.toLowerCase() !== name.toLowerCase();
    return /^[A-Z]/.test(name) && (isAlias || timeZone === name);
  } catch {
    return false;
  }
}

/** When a schedule comes next, in words: `Fri, 27 Nov 2026, 09:00:00 Europe/Berlin`. Undefined for one that is wrong. */
export function nextFiring(
  schedule: string,
  timezone: string,
  afterMs: number,
): string | undefined {
  if (!isTimezone(timezone) || scheduleProblem(schedule) !== undefined) return undefined;
  const next = read(schedule, timezone).nextRun(new Date(afterMs));
  if (next === null) return undefined;
  const words = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, ...WORDS }).format(next);
  return `${words} ${timezone}`;
}

const WORDS = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
} as const;

/** What people may not expect of a schedule; undefined for nothing. */
export function scheduleWarning(schedule: string): string | undefined {
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 6 || fields[5] !== "*") return undefined;
  const meant = [...fields.slice(1), fields[0]].join(" ");
  return `schedule "${schedule}" fires each second of every minute that it names: the last of six fields is the seconds; if the first was meant, set "${meant}"`;
}
