import { z } from "zod";
import type { AgentServer } from "../../sdk";
import { indented } from "../../shared/printable";
import { isRecord } from "../../shared/records";
import { shorten } from "../../shared/shorten";
import type { Problem } from "../arguments/problems";
import type { Context } from "../resource/context";
import { previewSignal } from "../resource/define-lifecycle";
import { progressOf } from "../resource/progress";
import { describeExpectation, Expectation } from "./expectation";
import { deleteLeftThreads, verdictOfRun } from "./run";
import type { Verdict } from "./verdict";

/** One run as it is declared: of an assistant that it names, or of the gate's. */
export const DeclaredRun = z.object({
  input: z.record(z.string(), z.unknown()),
  expect: Expectation,
});

/** The members of a gate that are declared beside its runs. */
export const GATE_LIMITS = {
  atLeast: z.number().positive().max(1).nullish(),
  timeoutSeconds: z.number().positive().nullish(),
};

const AnyRun = DeclaredRun.extend({ assistantId: z.string().min(1).nullish() });

/** A gate as it is declared. */
export interface Gate {
  /** The number of runs; undefined while it is not known. */
  readonly size: number | undefined;
  /** None where they are not known yet, or not valid: that gate fails. */
  readonly runs: readonly z.infer<typeof AnyRun>[];
  readonly atLeast: number;
  readonly timeoutSeconds: number;
}

const AT_LEAST = 0.9;
const RUN_SECONDS = 60;

/** Reads a gate; undefined where no runs are declared. */
export function gateIn(declared: unknown): Gate | undefined {
  if (!isRecord(declared)) return undefined;
  const { runs, atLeast, timeoutSeconds } = declared;
  if (runs === undefined || runs === null) return undefined;
  return {
    size: Array.isArray(runs) ? runs.length : undefined,
    runs: z.array(AnyRun).safeParse(runs).data ?? [],
    atLeast: typeof atLeast === "number" ? atLeast : AT_LEAST,
    timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : RUN_SECONDS,
  };
}

/** A gate with its runs in the preview, since they cost what models cost: `a gate of 3 runs`. */
export function describeGate({ size }: Gate): string {
  if (size === undefined) return "a gate";
  return size === 1 ? "a gate of 1 run" : `a gate of ${size} runs`;
}

/** The assistants that a gate asks, and how. */
interface Question {
  /** The id of the deployment or assistant that the gate is about. */
  readonly owner: string;
  readonly server: AgentServer;
  readonly gate: Gate;
  /** The assistant of the runs that name none. */
  readonly assistantId: string;
  /** A text of the agent without secrets. */
  readonly redacted: (text: string) => string;
}

/** Why a gate is not passed: the scores or another reason, and a line for each of the first runs that failed. */
export type GateFailure = readonly [reason: string, ...runs: string[]];

/** So many runs at a time: the JavaScript server has ten workers, which also serve others. */
const CONCURRENT_RUNS = 5;
/** So many failed runs are quoted. */
const QUOTED_RUNS = 10;
/** Characters of an input, and of what came. */
const LONGEST_QUOTE = 300;

/**
 * Asks a gate once in a run of Pulumi, also where a hook of the program tries again. `subject` names what it is about: a
 * revision, or values.
 */
export async function askedOnce(
  { processCache, signal }: Pick<Context, "processCache" | "signal">,
  subject: string,
  ask: () => Promise<GateFailure | undefined>,
): Promise<GateFailure | undefined> {
  if (processCache.gates.has(subject)) return processCache.gates.get(subject);
  const failure = await ask();
  if (!signal?.aborted) processCache.gates.set(subject, failure);
  return failure;
}

/** Asks a gate; undefined where it is passed. */
export async function gateFailure(
  question: Question,
  context: Pick<Context, "clock" | "log" | "signal" | "deadline">,
): Promise<GateFailure | undefined> {
  const { server, gate, assistantId, owner } = question;
  const { clock, signal, deadline = Infinity } = context;
  if (!(await hasRuns(server, signal))) return [NO_RUNS];
  const { default: pLimit } = await import("p-limit");
  // Not every server offers it, and the verdicts do not depend on it.
  await deleteLeftThreads(server, owner, clock.now(), signal).catch(() => undefined);
  const progress = progressOf(context);
  const done = { count: 0 };
  const verdicts = await pLimit(CONCURRENT_RUNS).map(gate.runs, async (run) => {
    const timeLeftSeconds = Math.max((deadline - clock.now()) / 1000, 0);
    const timeoutSeconds = Math.min(gate.timeoutSeconds, timeLeftSeconds);
    const assigned = { ...run, assistantId: run.assistantId ?? assistantId, owner };
    const verdict = await verdictOfRun(server, assigned, { timeoutSeconds, signal });
    done.count += 1;
    progress.stage(`gate: ${done.count} of ${gate.runs.length} runs`);
    return verdict;
  });
  if (signal?.aborted) return ["the run was cancelled"];
  const passed = verdicts.filter(({ isPass }) => isPass).length;
  return passed / verdicts.length >= gate.atLeast ? undefined : failureOf(question, verdicts);
}

/** The refusal of a server that keeps assistants and threads, and runs no graph. */
const NO_RUNS =
  "the agent server has no runs, since the built-in server of the local platform runs no graph; " +
  "deploy a graph that one of the real servers runs, or remove the runs";

/** Whether a server has runs: the built-in one says that it has none. Real servers have them and do not report it. */
async function hasRuns(server: AgentServer, signal?: AbortSignal): Promise<boolean> {
  try {
    return (await server.info({ signal })).flags?.["runs"] !== false;
  } catch {
    return true;
  }
}

/** The problem of an argument with runs where the server that is there has none. */
export async function runsProblems(server: AgentServer, property: string): Promise<Problem[]> {
  if (await hasRuns(server, previewSignal())) return [];
  return [{ property, reason: `can't be asked: ${NO_RUNS}` }];
}

function failureOf({ gate, redacted }: Question, verdicts: readonly Verdict[]): GateFailure {
  const numbersOf = (isPass: boolean): number[] =>
    verdicts.flatMap((verdict, at) => (verdict.isPass === isPass ? [at + 1] : []));
  const [passed, failed] = [numbersOf(true), numbersOf(false)];
  const needed = `at least ${percentOf(gate.atLeast)} must`;
  const lists = [
    ...(passed.length > 0 ? [`passed: ${passed.join(", ")}`] : []),
    ...(failed.length > 0 ? [`failed: ${failed.join(", ")}`] : []),
  ].join("; ");
  const quote = (text: string): string => indented(shorten(redacted(text), LONGEST_QUOTE));
  const rest = failed.length - QUOTED_RUNS;
  return [
    `${passed.length} of ${verdicts.length} runs passed, and ${needed}${lists && ` (${lists})`}`,
    ...failed.slice(0, QUOTED_RUNS).flatMap((number) => {
      const [run, verdict] = [gate.runs[number - 1], verdicts[number - 1]];
      if (run === undefined || verdict === undefined) return [];
      const expected = quote(describeExpectation(run.expect));
      return [
        `run ${number}: input ${quote(JSON.stringify(run.input))}; expected ${expected}; got: ${quote(verdict.came)}`,
      ];
    }),
    ...(rest > 0 ? [`${rest} more failed`] : []),
  ];
}

function percentOf(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
