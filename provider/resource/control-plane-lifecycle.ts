import type { z } from "zod";
import { Conflict, type ControlPlane } from "../../sdk";
import { isGone } from "../../sdk/errors";
import { textOf } from "../../shared/records";
import type { Settings } from "../../settings/settings";
import type { Row } from "../arguments/argument";
import type { Changes } from "../arguments/changes";
import { snakeKeys } from "../arguments/casing";
import { type Problem, refuse, withOthers } from "../arguments/problems";
import { withIgnored, withValueAt } from "../arguments/property-path";
import { type Props, UNKNOWN, valueAt } from "../arguments/props";
import { reportedArguments, reportedOutputs, undeclaredOutputs } from "../arguments/reported";
import type { ResourceType } from "../resource-types";
import { replacingPaths } from "./announcement";
import type { Context } from "./context";
import { createUnique } from "./create-unique";
import { defineLifecycle, type Found, type Kind, type Unconfirmed } from "./define-lifecycle";
import { findRecorded, findTwice, goneError, isTaken, notFoundError, patched } from "./find";
import { isIndeterminate, sendChange } from "./indeterminate-update";
import type { Lifecycle } from "./lifecycle";
import { type Operation, operationOf } from "./operation";
import { adviceToAdopt, describeAdoption } from "./ownership";

/** The arguments of a kind, as `defineArguments` returns them, whatever they are. */
interface Arguments<Declared> {
  readonly rows: readonly Row[];
  readonly names: readonly string[];
  readonly immutable: readonly string[];
  readonly problems: (inputs: Props) => Problem[];
  readonly decode: (props: Props) => Declared;
  readonly given: (props: Props) => Props;
  readonly withoutDefaults: (props: Props) => Props;
  readonly same: (path: string, left: unknown, right: unknown) => boolean;
  readonly drift: (declared: NoInfer<Declared>, shown: NoInfer<Declared>) => object;
  readonly withDrift: (declared: NoInfer<Declared>, shown: NoInfer<Declared>) => NoInfer<Declared>;
  readonly changes: (before: NoInfer<Declared>, after: NoInfer<Declared>) => Changes;
  readonly updateProblems: (before: NoInfer<Declared>, after: NoInfer<Declared>) => Problem[];
}

/** The requests about one kind of thing, as a class of the SDK has them. */
interface Requests<Wire, Create, Update> {
  create(body: Create): Promise<Wire>;
  get(id: string): Promise<Wire>;
  update(id: string, body: Update): Promise<Wire>;
  delete(id: string): Promise<void>;
}

/** A kind of thing of which a workspace has one for each value of an argument, its key. */
interface ControlPlaneKind<Declared, Wire, Create, Update> extends Pick<
  Kind<Declared>,
  "secretsOf" | "describeReplacement" | "difference"
> {
  readonly arguments: Arguments<Declared>;
  /** The argument that is its key. */
  readonly key: string;
  /** Whether its key is its id. @default no: the service gives it one */
  readonly isId?: boolean;
  /** Names of the outputs that the service sets. */
  readonly outputs: readonly string[];
  /** The bodies of the POST and the PATCH. */
  readonly bodies: { readonly create: z.ZodType<Create>; readonly update: z.ZodType<Update> };
  readonly requests: (client: ControlPlane) => Requests<Wire, Create, Update>;
  /** Finds what has a key. */
  readonly find: (client: ControlPlane, key: string) => Promise<Wire | undefined>;
  /** An error's words for one that has the key already. */
  readonly exists: string;
  /** What a program reads it with. */
  readonly reading: (key: string) => string;
  /** What to do where the service refuses a delete, since something uses it. @default nothing is said */
  readonly inUse?: string;
}

/** What every thing says of itself. */
interface Thing {
  readonly id: string;
  readonly created_at: string;
}

/** Names of the outputs that say where it is. */
const PLACE = ["tenantId", "baseUrl"];

/** The lifecycle of a kind that the control plane keeps: its outputs, drift and requests follow from the table of arguments. */
export function controlPlaneLifecycle<
  Declared extends { readonly props: Props },
  Wire extends Thing,
  Create,
  Update,
>(
  row: Pick<ResourceType, "noun" | "secrets">,
  kind: ControlPlaneKind<Declared, Wire, Create, Update>,
): Lifecycle {
  const { arguments: table, outputs } = kind;
  const verbs = new Verbs(row.noun, kind);
  return defineLifecycle<Declared>(row, {
    ...kind,
    arguments: table.rows,
    declared: table.decode,
    state: table.decode,
    nameOf: (of) => verbs.keyOf(of),
    serviceOutputs: [...PLACE, ...outputs],
    unsettledOutputs: (olds, news) => (verbs.changed(olds, news).length > 0 ? ["updatedAt"] : []),
    undeclared: undeclaredOutputs(table.names),
    check: (olds, news) => ({
      problems: verbs.problems(olds, news),
      message: describeAdoption(news, row.noun, verbs.keyOf({ props: news })),
    }),
    create: (news, context) => verbs.create(news, context),
    read: (id, olds, context) => verbs.read(id, olds, context),
    update: (id, olds, news, context) => verbs.update(id, olds, news, context),
    delete: (id, olds, context) => verbs.delete(id, olds, context),
    findUnconfirmed: (key, inputs, context) => verbs.findUnconfirmed(key, inputs, context),
  });
}

class Verbs<Declared extends { readonly props: Props }, Wire extends Thing, Create, Update> {
  readonly #noun: string;
  readonly #kind: ControlPlaneKind<Declared, Wire, Create, Update>;
  readonly #table: Arguments<Declared>;
  /** The paths of the arguments that a PATCH takes. */
  readonly #settings: readonly string[];

  constructor(noun: string, kind: ControlPlaneKind<Declared, Wire, Create, Update>) {
    this.#noun = noun;
    this.#kind = kind;
    this.#table = kind.arguments;
    const sent = kind.arguments.rows.filter(({ effect }) => effect === "settings");
    this.#settings = sent.map(({ path }) => path);
  }

  keyOf({ props }: Pick<Declared, "props">): string | undefined {
    const key = valueAt(props, this.#kind.key);
    return key === UNKNOWN ? undefined : textOf(key);
  }

  problems(olds: Props, news: Props): Problem[] {
    const { decode, problems, updateProblems } = this.#table;
    // An argument that the option replaceOnChanges replaces is not updated.
    const isReplaced = replacingPaths(olds, news).length > 0;
    return withOthers(problems(news), isReplaced ? [] : updateProblems(decode(olds), decode(news)));
  }

  /** The arguments that an update sends: it leaves alone what is removed. */
  changed(olds: Declared, news: Declared): string[] {
    const isSent = (path: string): boolean =>
      this.#settings.includes(path) && valueAt(news.props, path) !== undefined;
    return this.#table.changes(olds, news).changed.filter(isSent);
  }

  async create(news: Declared, context: Context): Promise<{ id: string; outs: Props }> {
    const { requests, find, isId, bodies, exists, reading } = this.#kind;
    const noun = this.#noun;
    const { client, settings } = operationOf(context);
    const key = this.keyOf(news) ?? "";
    refuse(`create ${noun} '${key}'`, this.#table.problems(news.props));
    const given = this.#table.given(news.props);
    const body = bodies.create.parse(snakeKeys(given));
    const idOf = ({ id }: Wire): string => (isId ? key : id);
    const wire = await createUnique<Wire>(context, {
      noun,
      client,
      inputs: news.props,
      key,
      find: () => find(client, key),
      post: () => requests(client).create(body),
      createdAt: ({ created_at }) => created_at,
      idOf,
      differences: (found, inputs) => this.#differences(found, inputs),
      immutable: this.#table.immutable,
      update: (found) => this.#bringTo(this.#settings, given, found, { client, id: idOf(found) }),
      adoptsExisting: valueAt(news.props, "adoptExisting") === true,
      exists,
      adoption: [adviceToAdopt("it"), `to read it, use ${reading(key)}`],
      otherwise: `set another ${this.#kind.key}`,
    });
    return { id: idOf(wire), outs: this.#outputs(news.props, wire, settings) };
  }

  async read(id: string, olds: Declared, context: Context): Promise<Found | undefined> {
    const noun = this.#noun;
    const { key } = this.#kind;
    const { given, withDrift, withoutDefaults } = this.#table;
    const operation = operationOf(context, id);
    const wire = await this.#findRecorded(operation, olds);
    if (valueAt(olds.props, key) === undefined) {
      if (wire === undefined) throw notFoundError(noun, operation);
      const all = this.#reported(wire);
      return { inputs: withoutDefaults(all), outs: this.#outputs(all, wire, operation.settings) };
    }
    if (wire === undefined || this.#isTaken(operation, olds, wire)) return undefined;
    const inputs = given(withDrift(olds, this.#decoded(wire)).props);
    return { inputs, outs: this.#outputs(inputs, wire, operation.settings) };
  }

  /** Sends one PATCH with the declared values that change and that the service lacks. */
  async update(id: string, olds: Declared, news: Declared, context: Context): Promise<Props> {
    const noun = this.#noun;
    const operation = operationOf(context, id);
    refuse(`update ${noun} '${id}'`, this.#table.updateProblems(olds, news));
    const wire = await this.#findRecorded(operation, olds);
    if (wire === undefined || this.#isTaken(operation, olds, wire))
      throw goneError(noun, this.keyOf(olds) ?? "", id);
    const wanted = withIgnored(news.props, this.#reported(wire));
    const paths = isIndeterminate(olds.props) ? this.#settings : this.changed(olds, news);
    const updated = await sendChange(() => this.#bringTo(paths, wanted, wire, operation));
    return this.#outputs(news.props, updated, operation.settings);
  }

  async delete(id: string, olds: Declared, context: Context): Promise<void> {
    const { requests, inUse } = this.#kind;
    const operation = operationOf(context, id);
    // Refuses another workspace; a 404 to it may be a slip.
    const wire = await this.#findRecorded(operation, olds);
    if (wire && this.#isTaken(operation, olds, wire)) return;
    try {
      await requests(operation.client).delete(id);
    } catch (error) {
      if (isGone(error)) return;
      if (!(error instanceof Conflict && inUse)) throw error;
      throw new Error(`${error.message}; ${inUse}`, { cause: error });
    }
  }

  async findUnconfirmed(
    key: string,
    { props }: Declared,
    context: Context,
  ): Promise<Unconfirmed | undefined> {
    const { find, isId } = this.#kind;
    const { client, clock } = operationOf(context);
    const found = await findTwice(clock, () => find(client, key));
    if (found === undefined) return undefined;
    const isEqual = this.#differences(found, props).length === 0;
    return { id: isId ? key : found.id, isEqual };
  }

  /** The one of a state; undefined when it is surely gone. */
  #findRecorded(operation: Operation, { props }: Declared): Promise<Wire | undefined> {
    const { requests, isId, find } = this.#kind;
    const { client, id } = operation;
    const get = () => (isId ? find(client, id) : requests(client).get(id));
    return findRecorded(operation, props, { noun: this.#noun, get });
  }

  /** Whether another create has taken the id, which can be where programs choose it. */
  #isTaken(operation: Operation, { props }: Declared, { created_at: at }: Wire): boolean {
    return this.#kind.isId === true && isTaken(this.#noun, operation, props, at);
  }

  /** Sends one PATCH with the values of these arguments that are set and that the service lacks. */
  #bringTo(
    paths: readonly string[],
    props: Props,
    wire: Wire,
    { client, id }: Pick<Operation, "client" | "id">,
  ): Promise<Wire> {
    const shown = this.#reported(wire);
    const missing = paths
      .map((path) => [path, valueAt(props, path)] as const)
      .filter(([, value]) => value !== undefined)
      .filter(([path, value]) => !this.#table.same(path, valueAt(shown, path), value));
    if (missing.length === 0) return Promise.resolve(wire);
    const body = missing.reduce<Props>(
      (all, [path, value]) => withValueAt(all, path.split("."), value),
      {},
    );
    const requests = this.#kind.requests(client);
    const patch = requests.update(id, this.#kind.bodies.update.parse(snakeKeys(body)));
    return patched(patch, () => requests.get(id));
  }

  #reported(wire: Wire): Props {
    return reportedArguments(this.#table.rows, wire);
  }

  #decoded(wire: Wire): Declared {
    return this.#table.decode(this.#reported(wire));
  }

  /** The arguments that it has otherwise, as far as they are known and the service reports them. */
  #differences(wire: Wire, inputs: Props): string[] {
    return Object.keys(this.#table.drift(this.#table.decode(inputs), this.#decoded(wire)));
  }

  /** Everything that the state keeps: the inputs as they were declared, and what the service reports. */
  #outputs(inputs: Props, wire: Wire, { baseUrl, workspaceId: tenantId }: Settings): Props {
    const reported = reportedOutputs(this.#kind.outputs, wire);
    return { ...undeclaredOutputs(this.#table.names), ...inputs, tenantId, baseUrl, ...reported };
  }
}
