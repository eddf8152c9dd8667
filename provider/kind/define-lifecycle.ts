import type { dynamic } from "@pulumi/pulumi";
import { type Problem, validateSettings } from "../arguments/problems";
import type { Row } from "../arguments/argument";
import { redact } from "../../shared/redact";
import { optionsIn } from "../arguments/option-inputs";
import { optionWarnings } from "../arguments/option-warnings";
import { hiddenOf, isEmpty, membersOf, type Props, UNKNOWN } from "../arguments/props";
import { valuesNamed } from "../arguments/secrets";
import { type KindRow, secretOutputsOf } from "../kinds";
import { type Advice, agentServerAdvice, controlPlaneAdvice } from "./advice";
import { announce, announcementOf, effectOf, isRecreated } from "./announcement";
import { continuingAttempts } from "./attempts";
import type { Context } from "./context";
import type { Log } from "./engine-log";
import { formatError, nameOf, withErrorContext, withoutSecrets } from "./errors";
import { InitializationFailure } from "./initialization-failure";
import type { Lifecycle } from "./lifecycle";
import { replacingProvisional } from "./provisional";
import { provisionalId, Unconfirmed } from "./unconfirmed";

/** A kind of resource: what it adds to the verbs that all kinds share. */
export interface Kind<Declared, State = Declared> {
  /** Its name in messages: `listener`. */
  readonly noun: string;
  /** The service whose errors its verbs meet. The settings are checked for the control plane alone. @default "control plane" */
  readonly service?: "control plane" | "agent server";
  /** The rows of its arguments. */
  readonly arguments: readonly Row[];
  /** Decodes inputs, once per verb. It accepts whatever there is: `check` reports what is wrong. */
  readonly declared: (inputs: Props) => Declared;
  /** Decodes the outputs of a state, likewise. */
  readonly state: (outputs: Props) => State;
  /** The name of one resource in messages; its id where that is undefined. */
  readonly nameOf: (of: Declared | State) => string | undefined;
  /** Secret values, which are redacted in errors of every verb, whatever quotes them. @default none */
  readonly secretsOf?: (of: Declared | State) => readonly (string | undefined)[];
  /** Names of the outputs that the service alone sets. */
  readonly serviceOutputs: readonly string[];
  /** Outputs that an update may change: unknown in its preview. */
  readonly unsettledOutputs: (olds: State, news: Declared) => readonly string[];
  /** Outputs of what is not declared. @default none */
  readonly undeclared?: Props;
  readonly check: (olds: Props, news: Props, context: Context) => Checked;
  /** Problems that take a request, about inputs without others. @default none */
  readonly refusalsOf?: readonly RemoteCheck<Problem>[];
  /** Warnings that take a request, about inputs without problems. They never fail the check. @default none */
  readonly warningsOf?: RemoteCheck<string>;
  /** The effect of a replacement on the existing resource, as messages say it: `deleted first, its conversation is deleted with it`. */
  readonly describeReplacement: (news: Declared) => string;
  /** The argument to set in place of `customTimeouts`. @default none */
  readonly timeoutArgument?: string;
  readonly difference: (id: string, olds: State, news: Declared, context: Context) => Difference;
  readonly create: (news: Declared, context: Context) => Promise<{ id: string; outs: Props }>;
  /** Undefined where the resource is surely gone; throws that for one that is read with `get`. */
  readonly read: (id: string, olds: State, context: Context) => Promise<Found | undefined>;
  /** Resolves to the outputs. */
  readonly update: (id: string, olds: State, news: Declared, context: Context) => Promise<Props>;
  readonly delete: (id: string, olds: State, context: Context) => Promise<void>;
}

/** A check of a change that takes requests. */
export type RemoteCheck<Item> = (olds: Props, inputs: Props, context: Context) => Promise<Item[]>;

/** The result of `check`. */
export interface Checked {
  readonly problems: readonly Problem[];
  /** The inputs as they are stored. @default as they were given */
  readonly inputs?: Props;
  /** Shown where nothing is wrong: beside a problem they would be about what cannot be. */
  readonly warnings?: readonly string[];
  /** What Pulumi's own line for a create does not say. @default nothing */
  readonly message?: string | undefined;
}

/** The response to a diff, and the lines that explain it. */
export interface Difference {
  readonly result: dynamic.DiffResult;
  readonly message: string | undefined;
  readonly warning?: string | undefined;
}

/** The result of `read`, without the hidden members, which stay as they are. */
export interface Found {
  /** The id, where the one that was asked for is another form of it, as an import may name it. @default the same */
  readonly id?: string;
  readonly inputs: Props;
  readonly outs: Props;
}

/** The lifecycle of a kind of resource: of its row, and what it adds. */
export function defineLifecycle<Declared, State = Declared>(
  { secrets }: Pick<KindRow, "secrets">,
  kind: Kind<Declared, State>,
): Lifecycle {
  const { noun, declared, state, secretsOf = () => [] } = kind;
  const isOnControlPlane = kind.service !== "agent server";
  const adviceIn = ({ settings, urn }: Context, verb: string): Advice =>
    isOnControlPlane
      ? (error) => controlPlaneAdvice(settings(), verb, urn)(error)
      : agentServerAdvice(verb);
  /** Neither an error nor a message repeats a secret value, whoever quotes it. */
  const during = <Answer>(
    verb: string,
    { subject, of, props }: Subject<Declared | State>,
    context: Context,
    operation: (context: Context) => Promise<Answer>,
  ): Promise<Answer> => {
    const own = of.flatMap(secretsOf).filter((value) => value !== undefined);
    const hidden = [...own, ...declaredSecrets(props)];
    return withoutSecrets(hidden, () => {
      const task = { action: `${verb} ${noun}`, subject };
      if (context.signal?.aborted) throw new Error(`${nameOf(task)}: cancelled before it began`);
      const log = redactingLog(context.log, hidden);
      return withErrorContext(task, adviceIn(context, verb), () => operation({ ...context, log }));
    });
  };
  const lifecycle: Lifecycle = {
    arguments: kind.arguments,
    secretInputs: secrets.inputs,
    secretOutputs: secretOutputsOf(secrets),
    async check(olds, news, context) {
      const { inputs = news, problems, warnings = [], message } = kind.check(olds, news, context);
      const settings = isOnControlPlane ? validateSettings(context).problems : [];
      const known = [...problems, ...settings];
      const checks = known.length > 0 ? [] : (kind.refusalsOf ?? []);
      const refusals = await Promise.all(checks.map((one) => one(olds, inputs, context)));
      const failures = [...known, ...refusals.flat()];
      const loss = kind.describeReplacement(declared(inputs));
      const announcement = announcementOf(olds, inputs, context, { create: message, loss });
      if (failures.length > 0) return { inputs, failures };
      if (!isRecreated(olds, context))
        for (const warning of [
          ...warnings,
          ...optionWarnings(olds, inputs, kind),
          ...((await kind.warningsOf?.(olds, inputs, context)) ?? []),
        ])
          context.log.warn(warning);
      if (announcement !== undefined) announce(context, announcement);
      return { inputs, failures };
    },
    diff(id, olds, news, context) {
      const [before, after] = [state(recordedIn(olds, context)), declared(news)];
      const { result, message, warning } = kind.difference(id, before, after, context);
      const loss = kind.describeReplacement(after);
      const own = declaredSecrets([olds, news]);
      if (warning !== undefined) redactingLog(context.log, own).warn(warning);
      const { urn = "", memory } = context;
      // A refresh asks for a diff without a check before it, and changes nothing.
      if (!memory.existing.has(urn)) return result;
      if (message !== undefined && !memory.replaced.has(urn))
        announce(
          context,
          redact(
            message.replace(loss, () => effectOf(loss, news, context)),
            own,
          ),
        );
      if (result.replaces) memory.replaced.add(urn);
      return isEmpty(olds) ? { ...result, changes: true } : result;
    },
    create(inputs, context) {
      const news = declared(inputs);
      const subject = kind.nameOf(news) ?? "";
      return during("create", { subject, of: [news], props: [inputs] }, context, async (own) => {
        try {
          return await kind.create(news, own);
        } catch (error) {
          if (!(error instanceof Unconfirmed)) throw error;
          const outs = { ...kind.undeclared, ...inputs };
          const reason = unconfirmedReason(error, adviceIn(context, "create"));
          throw new InitializationFailure(provisionalId(error.key), outs, [reason]);
        }
      });
    },
    read(id, props, context) {
      const olds = state(props);
      const subject = kind.nameOf(olds) ?? id;
      return during("get", { subject, of: [olds], props: [props] }, context, async (own) => {
        const found = await kind.read(id, olds, own);
        if (found === undefined) return { id: "", props: {} };
        const hidden = hiddenOf(props);
        const outs = { ...hidden, ...found.outs };
        return { id: found.id ?? id, props: outs, inputs: { ...hidden, ...found.inputs } };
      });
    },
    preview(news, olds) {
      const own = { ...kind.undeclared, ...news };
      if (olds === undefined || isEmpty(olds)) return { ...unknownOf(kind.serviceOutputs), ...own };
      const unsettled = kind.unsettledOutputs(state(olds), declared(news));
      return { ...own, ...membersOf(olds, kind.serviceOutputs), ...unknownOf(unsettled) };
    },
    update(id, olds, news, context) {
      const [before, after] = [state(recordedIn(olds, context)), declared(news)];
      const about = {
        subject: kind.nameOf(before) ?? id,
        of: [before, after],
        props: [olds, news],
      };
      return during("update", about, context, async (own) => ({
        outs: await kind.update(id, before, after, own),
      }));
    },
    delete(id, props, context) {
      const olds = state(props);
      const subject = kind.nameOf(olds) ?? id;
      return during("delete", { subject, of: [olds], props: [props] }, context, (own) =>
        kind.delete(id, olds, own),
      );
    },
  };
  return replacingProvisional(continuingAttempts(lifecycle));
}

/** The resource that a verb is about, in messages, decoded, and as the engine gives it. */
interface Subject<Decoded> {
  readonly subject: string;
  readonly of: readonly Decoded[];
  readonly props: readonly Props[];
}

/** The values of what the program has made secret. */
function declaredSecrets(props: readonly Props[]): string[] {
  return valuesNamed(
    props.flatMap((given) => optionsIn(given).secretNames),
    props,
  );
}

function redactingLog({ progress, info, warn }: Log, secrets: readonly string[]): Log {
  return {
    progress: (text) => progress(redact(text, secrets)),
    info: (text) => info(redact(text, secrets)),
    warn: (text) => warn(redact(text, secrets)),
  };
}

/** A state that was restored without outputs has its inputs, which the check before has seen. An update writes the outputs. */
function recordedIn(olds: Props, { urn = "", memory }: Context): Props {
  return isEmpty(olds) ? (memory.existing.get(urn) ?? olds) : olds;
}

function unconfirmedReason({ key, cause, lookup }: Unconfirmed, advice: Advice): string {
  return [
    formatError(cause, advice),
    `it may have created '${key}', and no request could confirm that: ${formatError(lookup, advice)}`,
    "run `pulumi up` again when the service responds; it adopts what this request created, and creates it only if there is none",
  ].join("\n      ");
}

function unknownOf(names: readonly string[]): Props {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
