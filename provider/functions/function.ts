import {
  type Input,
  type InvokeOptions,
  type Output,
  output,
  runtime,
  unsecret,
} from "@pulumi/pulumi";
import type { z } from "zod";
import { settingsKeptBy } from "../config/provider";
import type { AgentServerSite } from "./agent-server";
import type { Question } from "./answer";
import type { ControlPlaneSite } from "./control-plane";
import { type Addressee, formsOf } from "./forms";

/**
 * Whom to ask: `provider`, else the provider that a child of `parent` would have; without either, what the stack's
 * configuration and the environment name.
 */
export type LookUpOptions = Pick<InvokeOptions, "provider" | "parent">;

/** The arguments of a look-up's `…Output` form: each may be an output, and so may the items of a list. */
export type OutputArgs<Args> = { [Name in keyof Args]: Input<WithInputs<Args[Name]>> };
type WithInputs<Value> = Value extends readonly (infer Item)[] ? readonly Input<Item>[] : Value;

/** Both forms of a look-up at a control plane. */
export function lookUp<Schema extends z.ZodObject, Answer>(
  question: Question<Schema, ControlPlaneSite, Answer>,
) {
  const load = async () => (await import("./control-plane.js")).controlPlane;
  const { plain, later } = formsOf(question, load);
  return {
    plain: (args: object, options: LookUpOptions = {}): Promise<Answer> =>
      plain(args, controlPlaneFor(options)),
    output: (args: object, options: LookUpOptions = {}): Output<Answer> =>
      later(args, controlPlaneFor(options)),
  };
}

/** Names the package by which a resource finds the provider that it inherits. */
const MEMBER = "pulumi-nodejs:dynamic/agentserver:look-up";

/** Its credentials make no secret of what is looked up with them. */
function controlPlaneFor({ provider: given, parent }: LookUpOptions): Addressee {
  const provider = given ?? parent?.getProvider(MEMBER);
  const settings = () =>
    provider === undefined ? output(runtime.allConfig()) : settingsKeptBy(provider);
  return { access: () => unsecret(settings()), provider };
}

/** Which agent server to ask, in the place of a provider. */
export interface AgentServerArgs {
  /** The agent server's address: the output `url` of a `Deployment`. */
  readonly deploymentUrl: string;
  /** The agent server's own key; it makes no secret of what is looked up with it. The control plane's is never sent. */
  readonly apiKey?: string;
}

/** Both forms of a look-up at an agent server. */
export function lookUpThreads<Schema extends z.ZodObject, Answer>(
  question: Question<Schema, AgentServerSite, Answer>,
) {
  const load = async () => (await import("./agent-server.js")).agentServer;
  const { plain, later } = formsOf(question, load);
  const serverWith = (apiKey: unknown): Addressee => ({
    access: () => unsecret(output({ apiKey })),
  });
  return {
    plain: ({ apiKey, ...args }: AgentServerArgs): Promise<Answer> =>
      plain(args, serverWith(apiKey)),
    output: ({ apiKey, ...args }: OutputArgs<AgentServerArgs>): Output<Answer> =>
      later(args, serverWith(apiKey)),
  };
}
