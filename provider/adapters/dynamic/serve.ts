import type { dynamic } from "@pulumi/pulumi";
import { printable } from "../../../shared/printable";
import { messageOf } from "../../../shared/errors";
import { mapMembers, recordOf, textOf } from "../../../shared/records";
import { readSettings, type Settings } from "../../../settings/settings";
import { problemText } from "../../arguments/problems";
import { secretNameInputs, secretNamesIn, withoutPreviewMark } from "../../arguments/option-inputs";
import { hiddenOf, present, type Props, sameValue, withoutUndefined } from "../../arguments/props";
import {
  announceForcedReplacement,
  replacingPaths,
  showAnnouncement,
} from "../../resource/announcement";
import type { Context } from "../../resource/context";
import type { Log } from "../../resource/engine-log";
import { InitializationFailure } from "../../resource/errors";
import type { Lifecycle } from "../../resource/lifecycle";
import { IS_PULUMIS } from "./orphan";
import type { StackState } from "../../resource/stack-state";

/** The process that serves a lifecycle. */
export interface Host extends Pick<Context, "clock" | "processCache"> {
  /** The log for messages about the resource of this URN. */
  readonly logOf: (urn: string | undefined) => Log;
  /** Reads the state of the stack in which the create of a URN runs. */
  readonly readState: (urn: string, isPreview?: boolean) => Promise<StackState>;
}

/** Serves a lifecycle in Pulumi's dynamic-provider process. */
export function serve(lifecycle: Lifecycle, host: Host): dynamic.ResourceProvider {
  let config: Readonly<Record<string, string>> = {};
  let settings: Settings | undefined;
  let isPreview = false;
  const contextOf = (props: Props): Context => ({
    canImport: false,
    settings: () => (settings ??= readSettings(config)),
    log: host.logOf(textOf(props["__urn"])),
    clock: host.clock,
    processCache: host.processCache,
    urn: textOf(props["__urn"]),
    readState: (forPreview) => host.readState(textOf(props["__urn"]) ?? "", forPreview),
  });
  return {
    // Other requests do not wait for this one: the configuration must be kept before anything is awaited.
    configure: async (request) => {
      config = rawConfig(request.config);
      settings = undefined;
    },
    check: (olds: Props, news: Props) =>
      responding(async () => {
        const unmarked = withoutPreviewMark(news);
        isPreview = unmarked.isPreview;
        const context = contextOf(news);
        const checked = await lifecycle.check(olds, unmarked.inputs, context);
        if (isPreview) {
          await announceForcedReplacement(context);
          showAnnouncement(context);
        }
        return withoutProperties(checked);
      }),
    diff: (id, olds: Props, news: Props) =>
      responding(async () => {
        const context = contextOf(news);
        const found = lifecycle.diff(id, olds, news, context);
        if (isPreview) showAnnouncement(context);
        return withoutHiddenDifference(found, olds, news, context);
      }),
    create: (inputs: Props) =>
      responding(() => lifecycle.create(inputs, contextOf(inputs)), inputs),
    read: (id, props: Props = {}) => responding(() => lifecycle.read(id, props, contextOf(props))),
    update: (id, olds: Props, news: Props) =>
      responding(() => lifecycle.update(id, olds, news, contextOf(news)), news),
    delete: (id, props: Props) =>
      responding(async () => {
        await lifecycle.delete(id, props, contextOf(props));
      }),
  };
}

/**
 * The engine shows hidden inputs that differ, as after a rename, where it is left to compare; and it finds none in a state
 * of the native provider, which knows no text: Pulumi's process refreshes and destroys by the text in the outputs, and only
 * an update writes it there. It does not apply `replaceOnChanges` to what it does not compare.
 */
function withoutHiddenDifference(
  found: dynamic.DiffResult,
  olds: Props,
  news: Props,
  { urn = "", processCache }: Context,
): dynamic.DiffResult {
  const before = processCache.existing.get(urn) ?? news;
  const isChange = found.changes ?? !sameValue(hiddenOf(before), hiddenOf(news));
  if (!isChange && olds["__provider"] !== undefined) return found;
  const replaces = new Set([...(found.replaces ?? []), ...replacingPaths(before, news)]);
  return { ...found, changes: true, replaces: [...replaces] };
}

function withoutProperties({ failures = [], ...checked }: dynamic.CheckResult<Props>) {
  const texts = failures.map((problem) => ({ property: "", reason: problemText(problem) }));
  return { ...checked, failures: texts };
}

/** The whole stack configuration. The public interface only reads single keys, and unknown ones must be refused; a secret without a value is null. */
function rawConfig(config: dynamic.Config): Record<string, string> {
  const raw: unknown = Reflect.get(config, "rawConfig");
  return mapMembers(present(recordOf(raw)), String);
}

/**
 * The result must not hold `undefined` (the engine's protocol has none, and the created resource would be lost with the
 * error) and must be a copy, since the process writes into it. The error must be one sentence without a stack, since the
 * process prints both.
 */
async function responding<Answer>(
  operation: () => Promise<Answer>,
  inputs?: Props,
): Promise<Answer> {
  try {
    return withoutUndefined(await operation());
  } catch (error) {
    const { message, ...kept } = failureOf(error, inputs);
    const sentence = Object.assign(new Error(message), kept);
    sentence.stack = "";
    sentence.toString = () => {
      if (IS_PULUMIS) dropNextWrite(process.stderr);
      return message;
    };
    throw sentence;
  }
}

/** For some verbs Pulumi's process also prints the error, and the engine shows it as a second message. */
function dropNextWrite(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  stream.write = () => {
    stream.write = write;
    return true;
  };
}

function failureOf(error: unknown, inputs: Props = {}) {
  if (!(error instanceof InitializationFailure)) return { message: printable(messageOf(error)) };
  const { message, id, properties, reasons } = error;
  const secretsOfBoth = secretNameInputs(secretNamesIn(inputs, properties));
  return {
    message: printable(message),
    id,
    reasons: reasons.map(printable),
    // Without the provider's text in it the state could be neither refreshed nor destroyed.
    properties: withoutUndefined({ ...properties, ...hiddenOf(inputs), ...secretsOfBoth }),
  };
}
