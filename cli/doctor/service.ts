import {
  ConnectionError,
  ControlPlane,
  type Deployment,
  Forbidden,
  InvalidResponseError,
  NotOfferedError,
  RequestError,
  StatusError,
  Unauthorized,
} from "../../sdk";
import { agentServerOf } from "../../sdk/agent-server";
import { type DialectName, DIALECTS } from "../../sdk/dialect";
import { urlOf } from "../../shared/agent-server-url";
import { agentKey, SET_AGENT_KEY } from "../../settings/agent-key";
import type { Settings } from "../../settings/settings";
import { namesIn } from "../../settings/source";
import { messageOf } from "../../shared/errors";
import { bad, type Check, good, unknown } from "./checks";
import { type Connection, type ConnectionOptions, nextCommand } from "../connection";
import { adviceOf, WITHOUT_BACK_OFF } from "../control-plane";
import { orUndefined } from "../deployments/find";

/** Who asks does not want to wait for a service that is away. */
const QUICK = { clock: WITHOUT_BACK_OFF, requestTimeoutSeconds: 10 };

/** Number of agent servers that are asked at a time. */
const AT_A_TIME = 10;

/** A larger difference of the clocks confuses times of creation and logs. Seconds. */
const LARGEST_DIFFERENCE = 60;

/** What the control plane and the agent servers of a workspace answer. Sends GET requests only. */
export async function serviceChecks(
  connection: Connection,
  options: ConnectionOptions,
): Promise<Check[]> {
  const { settings } = connection;
  const client = clientOf(settings, settings.dialect);
  const deployments: Deployment[] = [];
  const failure = await failureOf(async () => {
    for await (const deployment of client.deployments.list()) deployments.push(deployment);
  });
  const access = accessChecks(connection, failure);
  const clock = clockCheck(client);
  if (failure !== undefined) return [...access, clock];
  return [
    ...access,
    clock,
    await dialectCheck(settings, deployments),
    ...(await endpointChecks(client, deployments)),
    ...(await agentServerChecks(deployments, options)),
  ];
}

function clientOf(settings: Settings, dialect: DialectName): ControlPlane {
  return new ControlPlane({ ...settings, ...QUICK, dialect, program: "command line" });
}

async function failureOf(work: () => Promise<unknown>): Promise<RequestError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}

const ACCESS = ["reachable", "control plane", "key", "workspace"] as const;

/** The list of deployments shows it: which of these is good follows from how it fails. */
function accessChecks(connection: Connection, failure: RequestError | undefined): Check[] {
  const { baseUrl, workspaceId, source } = connection.settings;
  const texts = [baseUrl, "answers requests", "accepted", workspaceId];
  const failed = failure === undefined ? ACCESS.length : ACCESS.indexOf(failedStep(failure));
  return ACCESS.map((subject, at) => {
    if (at < failed) return good(subject, texts[at] ?? "");
    if (failure === undefined || at > failed)
      return unknown(subject, "not checked", "correct what is bad above");
    const otherwise = `check ${namesIn(source, "baseUrl")}`;
    return bad(subject, messageOf(failure), adviceOf(failure, connection) ?? otherwise);
  });
}

function failedStep(failure: RequestError): (typeof ACCESS)[number] {
  if (failure instanceof ConnectionError) return "reachable";
  if (failure instanceof Unauthorized) return "key";
  if (failure instanceof Forbidden) return "workspace";
  return "control plane";
}

function clockCheck(client: ControlPlane): Check {
  const subject = "clock";
  const theirs = client.serverTime();
  if (theirs === undefined)
    return unknown(subject, "no response has told the time", "see the lines above");
  const seconds = Math.round((theirs.getTime() - Date.now()) / 1000);
  const text =
    seconds === 0
      ? "the control plane's and this machine's agree"
      : `the control plane's is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} this machine's`;
  return Math.abs(seconds) <= LARGEST_DIFFERENCE
    ? good(subject, text)
    : bad(subject, text, "set this machine's clock, such as with NTP");
}

/** The sources that the dialect `agentserver` has other names for. */
const FOREIGN_SOURCES: readonly string[] = ["github", "external_docker", "internal_docker"];

/** The names that the service answers: by the address of the integrations, else by a deployment's source. */
async function dialectCheck(
  settings: Settings,
  deployments: readonly Deployment[],
): Promise<Check> {
  const subject = "dialect";
  const { dialect } = settings;
  const answers = await Promise.all(
    DIALECTS.map(async (name) => {
      const failure = await failureOf(() => firstOf(clientOf(settings, name).integrations.list()));
      return failure === undefined ? [name] : [];
    }),
  );
  const byPath = answers.flat();
  // A source that this dialect does not translate comes through under its name in the other one.
  const foreign = deployments.some(({ source }) => FOREIGN_SOURCES.includes(source));
  const others = DIALECTS.filter((name) => name !== dialect);
  const found =
    byPath.length > 0 ? byPath : deployments.length === 0 ? [] : foreign ? others : [dialect];
  if (found.includes(dialect) && !foreign) return good(subject, dialect);
  const [other = found[0]] = others.filter((name) => found.includes(name) || foreign);
  if (other === undefined)
    return unknown(
      subject,
      `${dialect} is set; neither integrations nor a deployment show which names the service has`,
      `compare with docs/real-service.md: ${DIALECTS.join(" or ")}`,
    );
  return bad(
    subject,
    `${dialect} is set, and the service answers the names of ${other}`,
    `set ${namesIn(settings.source, "dialect")} to ${other}`,
  );
}

/** What a control plane need not offer, and what then does not work. */
async function endpointChecks(
  client: ControlPlane,
  deployments: readonly Deployment[],
): Promise<Check[]> {
  const [first] = deployments;
  const endpoints: [subject: string, without: string, ask: () => Promise<unknown>][] = [
    ["integrations", "`getIntegration` does not work", () => firstOf(client.integrations.list())],
    ["listeners", "`Listener` does not work", () => firstOf(client.listeners.list())],
    [
      "OAuth providers",
      "`OAuthProvider` does not work",
      () => firstOf(client.oauthProviders.list()),
    ],
  ];
  if (first !== undefined)
    endpoints.unshift([
      "revisions",
      "no roll-out can be followed",
      // Where the deployment is deleted meanwhile, that is what the answer says.
      () => orUndefined(client.revisions.newest(first.id, 1)),
    ]);
  return Promise.all(
    endpoints.map(async ([subject, without, ask]) => {
      const failure = await failureOf(ask);
      if (failure === undefined) return good(subject, "offered");
      return failure instanceof NotOfferedError
        ? unknown(subject, "not offered by this control plane", `${without} there`)
        : bad(subject, messageOf(failure), "check the rights of the key");
    }),
  );
}

async function firstOf(list: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of list) return item;
  return undefined;
}

async function agentServerChecks(
  deployments: readonly Deployment[],
  options: ConnectionOptions,
): Promise<Check[]> {
  const { default: pLimit } = await import("p-limit");
  return pLimit(AT_A_TIME).map(deployments, (deployment) => agentServerCheck(deployment, options));
}

async function agentServerCheck(
  deployment: Deployment,
  options: ConnectionOptions,
): Promise<Check> {
  const { name } = deployment;
  const url = urlOf(deployment);
  const subject = `agent server ${name}`;
  if (url === null)
    return unknown(subject, "has no URL yet", `see ${nextCommand(options, "status", name)}`);
  try {
    const server = agentServerOf({ url, apiKey: agentKey(), ...QUICK });
    const { version, flags = {} } = await server.info();
    const set = Object.keys(flags).filter((flag) => flags[flag] === true);
    const list = set.length > 0 ? set.join(", ") : "none";
    return good(subject, `answers at ${url}, version ${version ?? "unknown"}, flags: ${list}`);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error instanceof Unauthorized || error instanceof Forbidden)
      return unknown(subject, messageOf(error), SET_AGENT_KEY);
    // The local platform answers 501 where it runs no agent servers.
    const isMissing = error instanceof StatusError && [404, 501].includes(error.status);
    if (error instanceof InvalidResponseError || isMissing)
      return unknown(
        subject,
        `answers, and not to this: ${messageOf(error)}`,
        "no flags are known",
      );
    // Where none serves, the log of the server that does has no lines.
    const which = deployment.active_revision_id ? ["--type", "server"] : [];
    return bad(subject, messageOf(error), `see ${nextCommand(options, "logs", name, ...which)}`);
  }
}
