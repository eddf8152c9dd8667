import type { dynamic } from "@pulumi/pulumi";
import { type Problem, validateSettings } from "../arguments/problems";
import type { Row as ArgumentRow } from "../arguments/argument";
import { recordOf } from "../../shared/records";
import { redact } from "../../shared/redact";
import { optionsIn, secretNamesIn } from "../arguments/option-inputs";
import { optionWarnings } from "../arguments/option-warnings";
import {
  hiddenOf,
  isEmpty,
  membersOf,
  type Props,
  sameValue,
  UNKNOWN,
  visibleOf,
} from "../arguments/props";
import { valuesNamed } from "../arguments/secrets";
import { type ResourceType, secretOutputsOf } from "../resource-types";
import { type Advice, agentServerAdvice, controlPlaneAdvice } from "./advice";
import { announce, announcementOf, effectOf, isRecreated } from "./announcement";
import { continuingRetries } from "./retry-records";
import type { Context } from "./context";
import type { Log } from "./engine-log";
import {
  formatError,
  InitializationFailure,
  inLines,
  nameOf,
  withErrorContext,
  withoutSecrets,
} from "./errors";
import { placeOf, workspaceWarning } from "./find";
import { indeterminateOutputs, IndeterminateUpdate, isIndeterminate } from "./indeterminate-update";
import type { Lifecycle } from "./lifecycle";
import { ownershipOf } from "./ownership";
import { placeholderId, replacingPlaceholder } from "./placeholder";
import { IndeterminateCreate } from "./post-once";

/** A resource type: what it adds to the verbs that all kinds share. */
export interface Kind<Declared, State = Declared> {
  /** The rows of its arguments. */
  readonly arguments: readonly ArgumentRow[];
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
  /** Finds what has the key of a POST without a response; undefined where it is surely not there. */
  readonly findUnconfirmed: (
    key: string,
    inputs: Declared,
    context: Context,
  ) => Promise<Unconfirmed | undefined>;
}

/** What a POST without a response may have created. */
export interface Unconfirmed {
  readonly id: string;
  /** Whether it is what the POST creates, as far as its values are known. */
  readonly isEqual: boolean;
}

/** A check of a change that takes requests. */
export type RemoteCheck<Item> = (olds: Props, inputs: Props, context: Context) => Promise<Item[]>;

/** Ends a request of a check, which does not wait longer for a server that may not be there yet. */
export function previewSignal(): AbortSignal {
  return AbortSignal.timeout(3_000);
}

/** The result of `check`. */
export interface Checked {
  readonly problems: readonly Problem[];
  /** The inputs as they are stored. @default as they were given */
  readonly inputs?: Props;
  /** Shown where nothing is wrong: beside a problem they would be about what cannot be. */
  readonly warnings?: readonly string[];
  /** What the preview of a create shows beside Pulumi's line. @default nothing */
  readonly message?: string | undefined;
}

/** The response to a diff, and the lines that explain it. */
export interface Difference {
  readonly result: dynamic.DiffResult;
  readonly message: string | undefined;
  /** The part of the message about the existing resource. @default what `describeReplacement` says */
  readonly loss?: string;
  readonly warning?: string | undefined;
  /** Whether an update has something to do though the inputs are the same. @default false */
  readonly isOpen?: boolean;
}

/** The result of `read`, without the hidden members, which stay as they are. */
export interface Found {
  /** The id, where an import names another form of it. @default the same */
  readonly id?: string;
  readonly inputs: Props;
  readonly outs: Props;
}

/** What a lifecycle takes from the row of its kind. */
type Row = Pick<ResourceType, "noun" | "endpoint" | "secrets">;

type Whole<Declared, State> = Kind<Declared, State> & Row;

/** The lifecycle of a resource type: of its row, and what it adds. */
export function defineLifecycle<Declared, State = Declared>(
  row: Row,
  added: Kind<Declared, State>,
): Lifecycle {
  const kind = { ...added, ...row };
  const lifecycle: Lifecycle = {
    arguments: kind.arguments,
    secretInputs: row.secrets.inputs,
    secretOutputs: secretOutputsOf(row.secrets),
    check: (olds, news, context) => check(kind, olds, news, context),
    diff: (id, olds, news, context) => diff(kind, id, olds, news, context),
    create: (inputs, context) => create(kind, inputs, context),
    read: (id, props, context) => read(kind, id, props, context),
    preview: (news, olds) => preview(kind, news, olds),
    update: (id, olds, news, context) => update(kind, id, olds, news, context),
    async delete(id, props, context) {
      const olds = kind.state(props);
      const subject = { subject: kind.nameOf(olds) ?? id, of: [olds], props: [props] };
      return during(kind, "delete", subject, context, (inner) => kind.delete(id, olds, inner));
    },
  };
  return replacingPlaceholder(continuingRetries(lifecycle), (key, props, context) =>
    findOwn(kind, key, props, context),
  );
}

async function check<Declared, State>(
  kind: Whole<Declared, State>,
  olds: Props,
  news: Props,
  context: Context,
): Promise<dynamic.CheckResult<Props>> {
  const { inputs = news, problems, warnings = [], message } = kind.check(olds, news, context);
  const settings = isOnControlPlane(kind) ? validateSettings(context).problems : [];
  const known = [...problems, ...settings];
  const checks = known.length > 0 ? [] : (kind.refusalsOf ?? []);
  const refusals = await Promise.all(checks.map((one) => one(olds, inputs, context)));
  const secrets = declaredSecrets([olds, news, inputs]);
  const failures = [...known, ...refusals.flat()].map(({ property, reason }) => {
    return { property, reason: redact(reason, secrets) };
  });
  const loss = kind.describeReplacement(kind.declared(inputs));
  const announcement = announcementOf(olds, inputs, context, { create: message, loss });
  if (failures.length > 0) return { inputs, failures };
  if (!isRecreated(olds, context))
    for (const warning of [
      ...warnings,
      ...optionWarnings(olds, inputs, kind),
      ...((await kind.warningsOf?.(olds, inputs, context)) ?? []),
    ])
      redactingLog(context.log, secrets).warn(warning);
  if (announcement !== undefined) announce(context, redact(announcement, secrets));
  return { inputs, failures };
}

function diff<Declared, State>(
  kind: Whole<Declared, State>,
  id: string,
  olds: Props,
  news: Props,
  context: Context,
): dynamic.DiffResult {
  const { urn = "", processCache, log } = context;
  const [before, after] = [kind.state(recordedIn(olds, context)), kind.declared(news)];
  const { loss = kind.describeReplacement(after), ...difference } = kind.difference(
    id,
    before,
    after,
    context,
  );
  const { result, message, warning } = difference;
  const secrets = declaredSecrets([olds, news]);
  if (warning !== undefined) redactingLog(log, secrets).warn(warning);
  // A refresh asks for a diff without a check before it, and changes nothing.
  if (!processCache.existing.has(urn)) return result;
  const { settings } = isOnControlPlane(kind) ? validateSettings(context) : {};
  const stays = settings && workspaceWarning(olds, settings, urn);
  if (stays !== undefined) log.warn(stays);
  if (message !== undefined && !processCache.replaced.has(urn)) {
    const text = message.replace(loss, () => effectOf(loss, news, context));
    announce(context, redact(text, secrets));
  }
  if (result.replaces) processCache.replaced.add(urn);
  // A refresh takes the options from the outputs, so that one that only the inputs have would be forgotten, or come back.
  const isRecorded = sameValue(optionsIn(olds).keeping, optionsIn(news).keeping);
  // What is left to the engine it compares by inputs, and it keeps none of an update that failed: its outputs are others.
  const hasSameInputs = () =>
    sameValue(visibleOf(processCache.existing.get(urn) ?? {}), visibleOf(news));
  const isOpen = isIndeterminate(olds) || (difference.isOpen === true && hasSameInputs());
  return isOpen || isEmpty(olds) || !isRecorded ? { ...result, changes: true } : result;
}

async function create<Declared, State>(
  kind: Whole<Declared, State>,
  inputs: Props,
  context: Context,
): Promise<{ id: string; outs: Props }> {
  const news = kind.declared(inputs);
  const subject = { subject: kind.nameOf(news) ?? "", of: [news], props: [inputs] };
  return during(kind, "create", subject, context, async (inner) => {
    try {
      return await kind.create(news, inner);
    } catch (error) {
      // What is adopted is in no state: the next create compares it again.
      if (error instanceof IndeterminateUpdate) throw error.cause;
      if (!(error instanceof IndeterminateCreate)) throw error;
      const place = isOnControlPlane(kind) ? placeOf(inner.settings()) : {};
      const outs = { ...kind.undeclared, ...inputs, ...place };
      const reason = indeterminateReason(error, adviceFor(kind, "create", context));
      throw new InitializationFailure(placeholderId(error.key), outs, [reason]);
    }
  });
}

async function read<Declared, State>(
  kind: Whole<Declared, State>,
  id: string,
  props: Props,
  context: Context,
): Promise<dynamic.ReadResult<Props>> {
  const olds = kind.state(props);
  const subject = { subject: kind.nameOf(olds) ?? id, of: [olds], props: [props] };
  return during(kind, "get", subject, context, async (inner) => {
    const found = await kind.read(id, olds, inner);
    if (found === undefined) {
      context.processCache.gone.add(context.urn ?? "");
      return { id: "", props: {} };
    }
    const hidden = hiddenOf(props);
    const outs = { ...hidden, ...found.outs };
    return { id: found.id ?? id, props: outs, inputs: { ...hidden, ...found.inputs } };
  });
}

function preview<Declared, State>(kind: Whole<Declared, State>, news: Props, olds?: Props): Props {
  const declared = { ...kind.undeclared, ...news };
  if (olds === undefined || isEmpty(olds))
    return { ...unknownOf(kind.serviceOutputs), ...declared };
  const unsettled = kind.unsettledOutputs(kind.state(olds), kind.declared(news));
  return { ...declared, ...membersOf(olds, kind.serviceOutputs), ...unknownOf(unsettled) };
}

async function update<Declared, State>(
  kind: Whole<Declared, State>,
  id: string,
  olds: Props,
  news: Props,
  context: Context,
): Promise<{ outs: Props }> {
  const [before, after] = [kind.state(recordedIn(olds, context)), kind.declared(news)];
  const subject = {
    subject: kind.nameOf(before) ?? id,
    of: [before, after],
    props: [olds, news],
  };
  return during(kind, "update", subject, context, async (inner) => {
    try {
      return { outs: await kind.update(id, before, after, inner) };
    } catch (error) {
      if (!(error instanceof IndeterminateUpdate)) throw error;
      const task = { action: `update ${kind.noun}`, subject: subject.subject };
      const reason = formatError(error.cause, adviceFor(kind, "update", context), task);
      const outs = indeterminateOutputs(recordedIn(olds, context), news);
      throw new InitializationFailure(id, outs, [inLines([reason, NOT_CONFIRMED])]);
    }
  });
}

const NOT_CONFIRMED =
  "the change may be there, or a part of it: the next `pulumi up` compares all that is declared";

/** The id of what a create that was never confirmed has created, which the next create would adopt. */
async function findOwn<Declared, State>(
  kind: Whole<Declared, State>,
  key: string,
  props: Props,
  context: Context,
): Promise<string | undefined> {
  const inputs = kind.declared(props);
  const subject = { subject: key, of: [inputs], props: [props] };
  return during(kind, "delete", subject, context, async (inner) => {
    const { log } = inner;
    const created = await kind.findUnconfirmed(key, inputs, inner);
    if (created === undefined) return undefined;
    const thing = `${kind.noun} ${created.id}`;
    const ownership = await ownershipOf(inner, created.id, props);
    if (ownership.status === "unreadable")
      throw new Error(
        `${nameOf({ action: `delete ${kind.noun}`, subject: key })}: its create was never confirmed, and whether another resource has ${thing} is not known, since the state of this stack could not be read (${ownership.reason}); nothing was deleted`,
      );
    const isOthers = ownership.status === "recorded";
    if (isOthers || !created.isEqual) {
      const why = isOthers ? `it belongs to ${ownership.by}` : NOT_EQUAL;
      log.warn(`keeps ${thing}: ${why}`);
      return undefined;
    }
    log.info(`deletes ${thing}, which a create that was never confirmed made`);
    return created.id;
  });
}

const NOT_EQUAL =
  "it is not what the create of this resource, which was never confirmed, would have made; delete it on the service if it is yours";

/** Runs a verb: neither its errors nor its messages repeat a secret value, whoever quotes it. */
async function during<Declared, State, Answer>(
  kind: Whole<Declared, State>,
  verb: string,
  { subject, of, props }: Subject<Declared | State>,
  context: Context,
  operation: (context: Context) => Promise<Answer>,
): Promise<Answer> {
  const { noun, secretsOf = () => [] } = kind;
  const known = of.flatMap(secretsOf).filter((value) => value !== undefined);
  const hidden = [...known, ...declaredSecrets(props)];
  return withoutSecrets(hidden, () => {
    const task = { action: `${verb} ${noun}`, subject };
    if (context.signal?.aborted) throw new Error(`${nameOf(task)}: cancelled before it began`);
    const log = redactingLog(context.log, hidden);
    const isImport = verb === "get" && props.every(isEmpty);
    const advice = adviceFor(kind, isImport ? "import" : verb, context);
    const running = withErrorContext(task, advice, () => operation({ ...context, log }));
    return running.catch((error: unknown) => {
      // The reason of the signal, from a pause of the operation, says nothing of it.
      const isCancelled = error !== undefined && error === context.signal?.reason;
      throw isCancelled ? new Error(`${nameOf(task)}: cancelled`, { cause: error }) : error;
    });
  });
}

/** The settings are checked for the control plane alone. */
function isOnControlPlane({ endpoint }: Row): boolean {
  return endpoint === undefined;
}

function adviceFor(row: Row, verb: string, { settings, urn }: Context): Advice {
  return isOnControlPlane(row)
    ? (error) => controlPlaneAdvice(settings(), verb, urn)(error)
    : agentServerAdvice(verb, urn);
}

/** The resource that a verb is about, in messages, decoded, and as the engine gives it. */
interface Subject<Decoded> {
  readonly subject: string;
  readonly of: readonly Decoded[];
  readonly props: readonly Props[];
}

/** The values that the program marks as secret, or has marked among the inputs that the state keeps. */
function declaredSecrets(props: readonly Props[]): string[] {
  const all = props.flatMap((given) => [given, ...Object.values(given).map(recordOf)]);
  return valuesNamed(secretNamesIn(...all), props);
}

function redactingLog({ progress, info, warn }: Log, secrets: readonly string[]): Log {
  return {
    progress: (text) => progress(redact(text, secrets)),
    info: (text) => info(redact(text, secrets)),
    warn: (text) => warn(redact(text, secrets)),
  };
}

/** A state that was restored without outputs has its inputs, which the check before has seen. An update writes the outputs. */
function recordedIn(olds: Props, { urn = "", processCache }: Context): Props {
  return isEmpty(olds) ? (processCache.existing.get(urn) ?? olds) : olds;
}

function indeterminateReason({ key, cause, lookup }: IndeterminateCreate, advice: Advice): string {
  return inLines([
    formatError(cause, advice),
    `it may have created '${key}', and no request could confirm that: ${formatError(lookup, advice)}`,
    "run `pulumi up` again when the service responds; it adopts what this request created, and creates it only if there is none",
  ]);
}

function unknownOf(names: readonly string[]): Props {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
