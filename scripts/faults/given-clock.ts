import { z } from "zod";
import { systemClock } from "../../shared/clock";
import { Random } from "./random";

/*
 * Loaded before the native provider: its time is the world's, which the process of the fault run keeps. A sleep lets that
 * time pass there.
 */

const { nowMs: startMs, seed } = z
  .object({ nowMs: z.number(), seed: z.number() })
  .parse(JSON.parse(process.env["FAULTS_CLOCK"] ?? "{}"));
const Passed = z.object({ id: z.number(), nowMs: z.number() });
const random = new Random(seed);
const sleepers = new Map<number, () => void>();
let nowMs = startMs;
let count = 0;

process.on("message", (message) => {
  const passed = Passed.parse(message);
  nowMs = passed.nowMs;
  sleepers.get(passed.id)?.();
  sleepers.delete(passed.id);
});

Object.assign(systemClock, {
  now: () => nowMs,
  random: () => random.next(),
  sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    const id = (count += 1);
    const passed = new AbortController();
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", cancel, { once: true, signal: passed.signal });
      sleepers.set(id, resolve);
      process.send?.({ id, milliseconds });
    }).finally(() => passed.abort());
  },
});
