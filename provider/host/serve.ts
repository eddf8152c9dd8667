import type { dynamic } from "@pulumi/pulumi";
import { printable } from "../../shared/printable";
import { messageOf } from "../../shared/errors";
import { isRecord, textOf } from "../../shared/records";
import { readSettings, type Settings } from "../config/settings";
import { hiddenOf, type Props, withoutUndefined } from "../inputs/props";
import type { Context } from "./context";
import type { Log } from "./engine-log";
import { InitializationFailure } from "./initialization-failure";
import type { Lifecycle } from "./lifecycle";

/** The process that serves a lifecycle. */
export interface Host extends Pick<Context, "clock" | "memory"> {
  /** Where messages about the resource of this URN go. */
  readonly logOf: (urn: string | undefined) => Log;
}

/** Serves a lifecycle in Pulumi's dynamic-provider process. */
export function serve(lifecycle: Lifecycle, host: Host): dynamic.ResourceProvider {
  let config: Readonly<Record<string, string>> = {};
  let settings: Settings | undefined;
  const contextOf = (props: Props): Context => ({
    settings: () => (settings ??= readSettings(config)),
    log: host.logOf(textOf(props["__urn"])),
    clock: host.clock,
    memory: host.memory,
    urn: textOf(props["__urn"]),
  });
  return {
    // Nothing may be awaited before the configuration is kept: other requests do not wait for this one.
    configure: async (request) => {
      config = rawConfig(request.config);
      settings = undefined;
    },
    check: (olds: Props, news: Props) =>
      answering(async () => withoutValues(await lifecycle.check(olds, news, contextOf(news)))),
    diff: (id, olds: Props, news: Props) =>
      answering(async () => lifecycle.diff(id, olds, news, contextOf(news))),
    create: (inputs: Props) => answering(() => lifecycle.create(inputs, contextOf(inputs)), inputs),
    read: (id, props: Props = {}) => answering(() => lifecycle.read(id, props, contextOf(props))),
    update: (id, olds: Props, news: Props) =>
      answering(() => lifecycle.update(id, olds, news, contextOf(news)), news),
    delete: (id, props: Props) =>
      answering(async () => {
        await lifecycle.delete(id, props, contextOf(props));
      }),
  };
}

/**
 * The CLI prints the value of a property that has a problem, a secret in clear, and `<nil>` for a path that it does not
 * find: so every problem is the resource's, with the argument's path in its words.
 */
function withoutValues({ failures = [], ...checked }: dynamic.CheckResult<Props>) {
  const said = failures.map(({ property, reason }) => ({
    property: "",
    reason: printable(`${property} ${reason}`.trim()),
  }));
  return { ...checked, failures: said };
}

/** The whole stack configuration; the public interface only reads single keys, and unknown ones must be refused. */
function rawConfig(config: dynamic.Config): Record<string, string> {
  const raw: unknown = Reflect.get(config, "rawConfig");
  return isRecord(raw)
    ? Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, String(value)]))
    : {};
}

/**
 * What is returned must not hold `undefined` (the engine's wire has none, and the created thing would be lost with the
 * error) and must be fresh, since the process writes into it. What is thrown is one sentence: the process prints it
 * together with its stack.
 */
async function answering<Answer>(
  operation: () => Promise<Answer>,
  inputs?: Props,
): Promise<Answer> {
  try {
    return withoutUndefined(await operation());
  } catch (error) {
    const { message, ...kept } = failureOf(error, inputs);
    const sentence = Object.assign(new Error(message), kept);
    sentence.stack = "";
    sentence.toString = () => message;
    throw sentence;
  }
}

function failureOf(error: unknown, inputs: Props = {}) {
  if (!(error instanceof InitializationFailure)) return { message: printable(messageOf(error)) };
  const { message, id, properties, reasons } = error;
  return {
    message: printable(message),
    id,
    reasons: reasons.map(printable),
    // Without the provider's text in it the state could be neither refreshed nor destroyed.
    properties: withoutUndefined({ ...properties, ...hiddenOf(inputs) }),
  };
}
