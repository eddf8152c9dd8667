import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { keysOf } from "../../provider/arguments/property-path";
import { withoutSecretForm } from "../../provider/arguments/secrets";
import { isRecord } from "../../shared/records";
import { type Checkpoint, type Creating, exportOf, type Stored } from "./checkpoint";
import type { Declared, Process, Props, Provider, Result, StepError, UpOptions } from "./provider";

/** The part of a failed step that the engine keeps. */
type Kept = Pick<Stored, "id" | "outputs" | "initErrors">;

/** The model has no clock: it counts. */
let creates = 0;

/** Ends a command, as the first failure of a step does. */
class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly kept: Kept | undefined;

  constructor(message: string, kept?: Kept) {
    super(message);
    this.kept = kept;
  }
}

/** A program's hooks, and who hears of its errors. */
interface Options {
  /** Whether a hook of the program has a create or an update that failed called once more. @default never */
  readonly retries?: () => boolean;
  /** Called with each error of the provider. @default nothing */
  readonly onError?: (error: unknown) => void;
}

/**
 * As much of Pulumi's engine as decides what a dynamic provider is asked, one resource after the other: which verb in
 * which order with which old values, and what the state holds after success, failure and the loss of the process. A test
 * holds it against the real engine.
 */
export class Engine {
  readonly #startProcess: () => Promise<Process>;
  readonly #options: Options;
  #state: Stored[] = [];
  /** The creates that ran when the engine was killed: each later command carries them along, also the one that heals. */
  #interrupted: readonly Creating[] = [];
  /** The create that runs. */
  running: Creating | undefined;
  /** What the resource of the step that runs was before an alias. */
  #former: Stored | undefined;
  /** The resource that the provider was last asked about. */
  asked: string | undefined;
  /** The number of calls of providers until now. */
  calls = 0;
  /** That of the command that runs. */
  #process: Process | undefined;
  #steps: string[] = [];
  #errors: StepError[] = [];
  #retained: string[] = [];
  #retries = 0;

  constructor(startProcess: () => Promise<Process>, options: Options = {}) {
    this.#startProcess = startProcess;
    this.#options = options;
  }

  get state(): readonly Stored[] {
    return this.#state;
  }

  get checkpoint(): Checkpoint {
    return { resources: this.#state, creating: this.#interrupted };
  }

  /** Takes another state in place of its own, as `pulumi stack import` does. */
  load({ resources, creating }: Checkpoint): void {
    this.#state = [...resources];
    this.#interrupted = creating;
  }

  /** The output of `pulumi stack export`, at any time: running operations stand before those of the killed runs. */
  exported(): string {
    const { resources, creating } = this.checkpoint;
    const running = this.running ? [this.running] : [];
    return exportOf({ resources, creating: [...running, ...creating] });
  }

  /** Called when the history is over. */
  async close(): Promise<void> {}

  /** Brings the state to the program. */
  up(program: readonly Declared[], options: UpOptions = {}): Promise<Result> {
    const { replace = [], target, continueOnError = false, refresh = false } = options;
    const isTarget = ({ urn }: Pick<Stored, "urn">): boolean => target?.includes(urn) ?? true;
    return this.#run(async () => {
      if (refresh) await this.#refreshAll(isTarget);
      for (const declared of program.filter(isTarget))
        await this.#attempt(declared, continueOnError, () =>
          this.#step(declared, replace.includes(declared.urn)),
        );
      await this.#deleteOthers(program, { isTarget, continueOnError });
    });
  }

  destroy({ refresh = false }: Pick<UpOptions, "refresh"> = {}): Promise<Result> {
    return this.#run(async () => {
      if (refresh) await this.#refreshAll(() => true);
      await this.#deleteOthers([]);
    });
  }

  /**
   * Reads every resource; one that is gone leaves the state, and what failed to initialise counts as fine. With
   * `clearsCreates`, as `--clear-pending-creates`, the interrupted creates leave it too.
   */
  refresh(clearsCreates = false): Promise<Result> {
    return this.#run(async () => {
      if (clearsCreates) this.#interrupted = [];
      await this.#refreshAll(() => true);
    });
  }

  /** As `pulumi state delete`. */
  forget(urn: string): void {
    this.#state = this.#state.filter((stored) => stored.urn !== urn);
  }

  /** Takes what has this id into the state, as `pulumi import` does; the next `up` compares it with the program. */
  import({ urn, kind }: Declared, id: string): Promise<Result> {
    return this.#run(async () => {
      const name = nameOf({ urn });
      this.#steps.push(`import ${name}`);
      if (this.#state.some((stored) => stored.urn === urn))
        throw new StepFailed(`resource '${name}' already exists`);
      const found = await this.#ask({ urn, kind }, (provider) => provider.read?.(id, {}));
      if (!found?.id) throw new StepFailed(`resource '${id}' does not exist`);
      const { props = {}, inputs = {} } = found;
      const read = { inputs: copy(inputs), outputs: copy(props) };
      this.#put(undefined, { urn, kind, id: found.id, ...read, initErrors: [] });
    });
  }

  /** The steps of an `up`, as far as they are known before it. */
  async preview(program: readonly Declared[]): Promise<Result> {
    return this.#run(async () => {
      for (const declared of program) {
        const old = this.#find(declared.urn);
        const planned = await this.#plan(declared, old);
        if (planned.verb !== "same") this.#steps.push(`${planned.verb} ${nameOf(declared)}`);
      }
      const urns = program.map(({ urn }) => urn);
      for (const stored of this.#state.filter((other) => isToDelete(other, urns)))
        this.#steps.push(`delete ${nameOf(stored)}`);
    });
  }

  async #run(work: () => Promise<void>): Promise<Result> {
    this.#process = await this.#startProcess();
    [this.#steps, this.#errors, this.#retained, this.#retries] = [[], [], [], 0];
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      this.#errors.push({ urn: this.asked ?? "", message: error.message });
    } finally {
      await this.#process.end?.();
    }
    const [steps, errors, retained] = [this.#steps, this.#errors, this.#retained];
    return { isGreen: errors.length === 0, errors, steps, retained, retries: this.#retries };
  }

  /** A failed step ends the command unless it continues on errors. */
  async #attempt(
    { urn }: Pick<Stored, "urn">,
    continues: boolean,
    step: () => Promise<void>,
  ): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!continues || this.#isLost || !(error instanceof StepFailed)) throw error;
      this.#errors.push({ urn, message: error.message });
    }
  }

  get #isLost(): boolean {
    return this.#process?.isLost() === true;
  }

  #find(urn: string): Stored | undefined {
    return this.#state.find((stored) => stored.urn === urn && !stored.isOld);
  }

  async #plan(declared: Declared, old: Stored | undefined) {
    if (old === undefined)
      return { verb: "create", inputs: await this.#check(declared, {}), first: true } as const;
    const { ignoreChanges = [] } = declared;
    const kept = ignoreChanges.reduce(
      (news, path) => withIgnored(news, old.inputs, path),
      declared.inputs,
    );
    const inputs = await this.#check({ ...declared, inputs: kept }, old.inputs);
    const diff = await this.#ask(old, (provider) =>
      provider.diff?.(...changeOf(old, inputs, ignoreChanges)),
    );
    const differs =
      diff?.changes ?? !isDeepStrictEqual(withoutSecretForm(old.inputs), withoutSecretForm(inputs));
    const isReplaced = differs && diff?.replaces !== undefined && diff.replaces.length > 0;
    if (isReplaced || old.isGone) {
      const first = isReplaced && (diff?.deleteBeforeReplace ?? false);
      return { verb: "replace", inputs, first } as const;
    }
    const verb = differs || old.initErrors.length > 0 ? "update" : "same";
    return { verb, inputs, first: true } as const;
  }

  /** An entry under a former URN has the present one, unless the step fails; what is replaced is deleted under the former. */
  async #step(declared: Declared, isForced: boolean): Promise<void> {
    const { urn, kind, aliases = [] } = declared;
    // What a replacement has left to delete is no resource of the program.
    const former = this.#state.find(({ urn: old, isOld }) => !isOld && aliases.includes(old));
    if (former === undefined || this.#find(urn)) return this.#stepOf(declared, isForced);
    const renamed = { ...former, urn, kind };
    this.#put(former, renamed);
    this.#former = former;
    try {
      await this.#stepOf(declared, isForced);
    } catch (error) {
      if (this.#state.includes(renamed)) this.#put(renamed, former);
      throw error;
    } finally {
      this.#former = undefined;
    }
  }

  async #stepOf(declared: Declared, isForced: boolean): Promise<void> {
    const { urn, retainOnDelete } = declared;
    const old = this.#find(urn);
    const planned =
      isForced && old && !old.isGone
        ? ({ verb: "replace", inputs: {}, first: false } as const)
        : await this.#plan(declared, old);
    switch (planned.verb) {
      case "create":
        return this.#create(declared, planned.inputs);
      case "replace":
        return this.#replace(declared, old, declared.deleteBeforeReplace ?? planned.first);
      case "update":
        return this.#update(declared, planned.inputs, old);
      case "same":
        if (old) this.#put(old, { ...old, inputs: planned.inputs, retainOnDelete });
    }
  }

  async #replace(declared: Declared, old: Stored | undefined, first: boolean): Promise<void> {
    // The replacement is checked as a new resource.
    const inputs = await this.#check(declared, {});
    if (!old) return this.#create(declared, inputs);
    const before = this.#former ?? old;
    if (!first && !old.isGone) {
      const held = this.#state.length;
      try {
        return await this.#create(declared, inputs, { replaced: old });
      } finally {
        if (this.#state.length > held) this.#put(old, { ...before, isOld: true });
      }
    }
    if (!old.isGone) await this.#delete(before);
    const gone = { ...old, isGone: true };
    this.#put(old, gone);
    return this.#create(declared, inputs, { replaced: old, gone });
  }

  async #create(
    declared: Declared,
    inputs: Props,
    { replaced, gone }: { replaced?: Stored; gone?: Stored } = {},
  ): Promise<void> {
    const { urn, kind, retainOnDelete } = declared;
    const created = String((creates += 1));
    const common = { urn, kind, inputs, created, retainOnDelete };
    this.#steps.push(`create ${nameOf(declared)}`);
    this.running = { urn, kind, inputs, created: replaced?.created };
    try {
      // What the first attempt has made is updated.
      const { made } = await this.#try(declared, async (provider, kept) => {
        if (kept === undefined) return provider.create(copy(inputs));
        const answer = await provider.update?.(...changeOf({ ...kept, inputs }, inputs, []));
        return { id: kept.id, outs: answer?.outs };
      });
      const { id = "", outs = {} } = made ?? {};
      this.#put(gone, { ...common, id, outputs: copy(outs), initErrors: [] });
    } catch (error) {
      const kept = error instanceof StepFailed && error.kept;
      if (kept) this.#put(gone, { ...common, ...kept });
      throw error;
    } finally {
      if (this.#process?.hasLostEngine?.())
        this.#interrupted = [this.running, ...this.#interrupted];
      this.running = undefined;
    }
  }

  async #update(declared: Declared, inputs: Props, old: Stored | undefined): Promise<void> {
    if (!old) return;
    this.#steps.push(`update ${nameOf(declared)}`);
    const { ignoreChanges = [], retainOnDelete } = declared;
    try {
      const { made, initErrors } = await this.#try(old, (provider) =>
        provider.update?.(...changeOf(old, inputs, ignoreChanges)),
      );
      const outputs = copy(made?.outs ?? {});
      this.#put(old, { ...old, inputs, outputs, initErrors, retainOnDelete });
    } catch (error) {
      const kept = error instanceof StepFailed && error.kept;
      if (kept) this.#put(old, { ...old, ...kept, id: old.id });
      throw error;
    }
  }

  async #deleteOthers(
    program: readonly Declared[],
    {
      isTarget = () => true,
      continueOnError = false,
    }: { isTarget?: (stored: Stored) => boolean; continueOnError?: boolean } = {},
  ): Promise<void> {
    // What a failed step has left under a former URN is still the resource's.
    const urns = program.flatMap(({ urn, aliases = [] }) =>
      this.#find(urn) ? [urn] : [urn, ...aliases],
    );
    const others = this.#state.toReversed().filter((other) => isToDelete(other, urns));
    for (const stored of others.filter(isTarget))
      await this.#attempt(stored, continueOnError, async () => {
        if (!stored.isGone) await this.#delete(stored);
        this.#state = this.#state.filter((other) => other !== stored);
      });
  }

  async #delete(stored: Stored): Promise<void> {
    this.#steps.push(`delete ${nameOf(stored)}`);
    if (stored.retainOnDelete) this.#retained.push(stored.id);
    else await this.#ask(stored, (provider) => provider.delete?.(stored.id, copy(stored.outputs)));
  }

  async #refreshAll(isTarget: (stored: Stored) => boolean): Promise<void> {
    const present = this.#state.filter((stored) => !stored.isGone && isTarget(stored));
    for (const stored of present) await this.#refresh(stored);
  }

  async #refresh(stored: Stored): Promise<void> {
    this.#steps.push(`read ${nameOf(stored)}`);
    const answer = await this.#ask(stored, (provider) =>
      provider.read?.(stored.id, copy(stored.outputs), copy(stored.inputs)),
    );
    const { id, props, inputs } = answer ?? {};
    if (id === "") this.#state = this.#state.filter((other) => other !== stored);
    else {
      const outputs = copy(props ?? {});
      const seen = inputs === undefined ? stored.inputs : copy(inputs);
      const read = { ...stored, id: id ?? stored.id, outputs, inputs: seen, initErrors: [] };
      // The answer is shown as drift, and changes nothing.
      await this.#ask(stored, (provider) => provider.diff?.(...changeOf(read, stored.inputs, [])));
      this.#put(stored, read);
    }
  }

  async #check({ inputs, ...declared }: Declared, olds: Props): Promise<Props> {
    const checked = await this.#ask(declared, (provider) =>
      provider.check?.(copy(olds), copy(inputs)),
    );
    const reasons = (checked?.failures ?? []).map(({ reason }) => reason);
    if (reasons.length > 0) throw new StepFailed(reasons.join("\n"));
    return copy(checked?.inputs ?? inputs);
  }

  /** Asks until it succeeds or no hook calls it again. The errors of a half success stay, also when it succeeds then. */
  async #try<Made>(
    resource: Pick<Stored, "urn" | "kind">,
    call: (provider: Provider, kept: Kept | undefined) => Promise<Made> | undefined,
  ): Promise<{ made: Made | undefined; initErrors: readonly string[] }> {
    let kept: Kept | undefined;
    for (;;) {
      try {
        const made = await this.#ask(resource, (provider) => call(provider, kept));
        return { made, initErrors: kept?.initErrors ?? [] };
      } catch (error) {
        const isOver = this.#isLost || !(error instanceof StepFailed);
        if (isOver || this.#options.retries?.() !== true) throw error;
        this.#retries += 1;
        kept = error.kept ?? kept;
      }
    }
  }

  /** The result of a lost process is never learned, nor whether it failed. */
  async #ask<Answer>(
    resource: Pick<Stored, "urn" | "kind">,
    call: (provider: Provider) => Promise<Answer> | undefined,
  ): Promise<Answer | undefined> {
    const provider = this.#process?.providerOf(resource);
    this.asked = resource.urn;
    this.calls += 1;
    if (!provider) throw new Error(`no provider serves ${resource.kind}`);
    try {
      const answer = await call(provider);
      if (!this.#isLost) return answer;
    } catch (error) {
      this.#options.onError?.(error);
      if (!this.#isLost) throw failureOf(error);
    }
    throw new StepFailed("the provider process was lost");
  }

  #put(old: Stored | undefined, next: Stored): void {
    this.#state = old
      ? this.#state.map((stored) => (stored === old ? next : stored))
      : [...this.#state, next];
  }
}

const InitializationFailure = z.object({
  id: z.string(),
  properties: z.record(z.string(), z.unknown()),
  reasons: z.array(z.string()),
});

/** The command line shows an initialisation failure's reasons alone. */
function failureOf(error: unknown): StepFailed {
  if (!(error instanceof Error)) return new StepFailed(String(error));
  const failed = InitializationFailure.safeParse(Object.assign({}, error)).data;
  if (failed === undefined) return new StepFailed(error.message);
  const kept = { id: failed.id, outputs: copy(failed.properties), initErrors: failed.reasons };
  return new StepFailed(kept.initErrors.join("\n"), kept);
}

/** A change of a resource, as the engine tells the provider of it. */
function changeOf(
  { id, outputs, inputs }: Pick<Stored, "id" | "outputs" | "inputs">,
  news: Props,
  ignoreChanges: readonly string[],
) {
  const known = { oldInputs: copy(inputs), ignoreChanges };
  return [id, copy(outputs), copy(news), known] as const;
}

function nameOf({ urn }: Pick<Stored, "urn">): string {
  return urn.split("::").at(-1) ?? urn;
}

/** The engine keeps the old value at the path of each ignored change, and its absence. */
function withIgnored(news: Props, olds: Props, path: string): Props {
  const taken = (own: Props, theirs: Props, [first = "", ...rest]: readonly string[]): Props => {
    const { [first]: member, ...others } = own;
    const old = theirs[first];
    if (rest.length === 0) return old === undefined ? others : { ...others, [first]: old };
    if (member === undefined && old === undefined) return own;
    if (!isRecord(member) || !isRecord(old))
      throw new StepFailed(`cannot ignore changes, since a part of the path is missing: ${path}`);
    return { ...others, [first]: taken(member, old, rest) };
  };
  return taken(news, olds, keysOf(path));
}

function isToDelete({ urn, isOld }: Stored, urns: readonly string[]): boolean {
  return isOld === true || !urns.includes(urn);
}

/** Values cross a wire that knows JSON alone. */
function copy(props: Props): Props {
  return JSON.parse(JSON.stringify(props));
}
