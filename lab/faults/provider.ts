import type { dynamic } from "@pulumi/pulumi";

export type Props = Record<string, unknown>;

/** A resource as a program declares it. */
export interface Declared {
  readonly urn: string;
  /** Names the provider that serves it. */
  readonly kind: string;
  readonly inputs: Props;
  /** As the resource's option. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** As the resource's option. */
  readonly aliases?: readonly string[] | undefined;
  /** As the resource's option, of paths of inputs. */
  readonly ignoreChanges?: readonly string[] | undefined;
  /** As the resource's option. */
  readonly retainOnDelete?: boolean | undefined;
}

/** What the native provider gets besides the values, and a dynamic one does not. */
export interface Known {
  readonly oldInputs: Props;
  readonly ignoreChanges: readonly string[];
}

/** The provider of a resource. */
export interface Provider extends Omit<
  dynamic.ResourceProvider,
  "diff" | "read" | "update" | "configure"
> {
  diff?(id: string, olds: Props, news: Props, known: Known): Promise<dynamic.DiffResult>;
  read?(id: string, props: Props, oldInputs?: Props): Promise<dynamic.ReadResult>;
  update?(id: string, olds: Props, news: Props, known: Known): Promise<dynamic.UpdateResult>;
}

/** A provider process: ended by a kill, it answers nothing more, and the engine learns nothing of what it did. */
export interface Process {
  readonly providerOf: (resource: Pick<Declared, "urn" | "kind">) => Provider | undefined;
  /** Whether the engine has lost it. */
  readonly isLost: () => boolean;
  /** Whether the engine itself was killed, so that the state goes on recording a create that ran. @default never */
  readonly hasLostEngine?: () => boolean;
  /** Called when the command is over. */
  readonly end?: () => Promise<void>;
}

/** Options of `up`, as on the command line; each names URNs. */
export interface UpOptions {
  /** As `--replace` and a taint do. */
  readonly replace?: readonly string[];
  /** As `--target`; the rest of the state stays as it is. @default all */
  readonly target?: readonly string[] | undefined;
  readonly continueOnError?: boolean;
  /** As `--refresh`: the state is read first, by the same provider process. */
  readonly refresh?: boolean;
}

/** A failed step. */
export interface StepError {
  readonly urn: string;
  readonly message: string;
}

/** The result of a command. */
export interface Result {
  readonly isGreen: boolean;
  readonly errors: readonly StepError[];
  /** The step, as in `create support`. */
  readonly steps: readonly string[];
  /** Number of times that a hook had a create or an update called again. */
  readonly retries: number;
  /** The ids of what left the state and stays on the service, by `retainOnDelete`. */
  readonly retained: readonly string[];
}
