import { isRecord, recordOf, textOf } from "../../../shared/records";
import { type Gate, gateIn } from "../../gate/gate";

/** The check of the deployed agent server; `smokeCheck: true` is all defaults. */
export interface SmokeCheck {
  readonly apiKey: string | undefined;
  readonly graphId: string | undefined;
  readonly timeoutSeconds: number;
  /** The runs that must pass after it; undefined where none are declared. */
  readonly gate: Gate | undefined;
}

const SMOKE_CHECK_SECONDS = 60;

/** Reads the argument `smokeCheck`. */
export function smokeCheckIn(declared: unknown): SmokeCheck | undefined {
  if (declared !== true && !isRecord(declared)) return undefined;
  const { apiKey, graphId, timeoutSeconds } = recordOf(declared);
  return {
    apiKey: textOf(apiKey),
    graphId: textOf(graphId),
    timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : SMOKE_CHECK_SECONDS,
    gate: gateIn(declared),
  };
}
