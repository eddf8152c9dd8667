import { log, runtime } from "@pulumi/pulumi";
import { NAMESPACE, plainTextProblem, SECRETS } from "../../settings/source";
import { hasMocks } from "../functions/mocks";

/** What is wrong with secret settings that the configuration of the running stack has in clear. */
export function plainTextInStack(): string | undefined {
  if (hasMocks()) return undefined;
  return plainTextProblem(SECRETS.filter((name) => isPlain(NAMESPACE + name)));
}

/** The runs, by their monitors, that have been warned. */
const WARNED = new WeakSet<object>();

/** Warns of it, once per run. */
export function warnOfPlainText(): void {
  const run: object = Object(runtime.getMonitor());
  const problem = WARNED.has(run) ? undefined : plainTextInStack();
  WARNED.add(run);
  if (problem !== undefined) void log.warn(problem);
}

/** Pulumi's SDK knows which values are secret, and has no public function that says so. */
function isPlain(key: string): boolean {
  const isSecretKey: unknown = Reflect.get(runtime, "isConfigSecret");
  return key in runtime.allConfig() && typeof isSecretKey === "function" && !isSecretKey(key);
}
