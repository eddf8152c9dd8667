import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Authenticate, Authentication, AuthenticationResult } from "../../sdk/schema";
import { exchangeCode } from "./oauth-code";
import { findProvider } from "./oauth-providers";
import { findUsable } from "./oauth-tokens";
import type { Platform } from "./platform";
import { problem } from "./problems";
import type { Workspace } from "../store";

/** This server sends every member. */
type Complete<Answer> = { readonly [Key in keyof Answer]-?: Exclude<Answer[Key], undefined> };

/** A user has this long to come back from the provider. */
const LIFETIME_MS = 10 * 60_000;

/** One user's way to a provider and back. */
interface Flow {
  readonly id: string;
  readonly workspace: Workspace;
  readonly providerId: string;
  readonly scopes: readonly string[];
  readonly isDefault: boolean;
  readonly state: string;
  readonly verifier: string | undefined;
  readonly startedMs: number;
  /** Resolved with the token's value, or with null where the provider refused. */
  readonly ended: Promise<string | null>;
  readonly end: (token: string | null) => void;
}

/** The parameters that a provider adds to the address that it sends a user back to. */
export interface Callback {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** Authentications that wait for a user. They are kept in memory: after a restart the user begins again. */
export class Authentications {
  readonly #platform: Platform;
  readonly #flows = new Map<string, Flow>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** A token that is there already or, for a new one, where the user must go; throws 404. */
  start(workspace: Workspace, body: z.output<typeof Authenticate>): Complete<Authentication> {
    const provider = findProvider(this.#platform, workspace, body.provider);
    const { scopes, force_new, token_id } = body;
    const wanted = { provider: body.provider, scopes, ...(token_id && { id: token_id }) };
    const found = force_new ? undefined : findUsable(this.#platform, workspace, wanted);
    const answer = { url: null, auth_id: null, token: null, user_id: workspace.id, metadata: null };
    if (found) return { ...answer, status: "completed", token: found.access_token };
    const flow = this.#add(workspace, body, provider.uses_pkce);
    const url = new URL(provider.auth_url);
    const isPlain = provider.code_challenge_method === "plain";
    const query = {
      response_type: "code",
      client_id: provider.client_id,
      redirect_uri: this.#redirectUri(provider.provider_id),
      state: flow.state,
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      ...(flow.verifier !== undefined && {
        code_challenge: isPlain ? flow.verifier : challengeOf(flow.verifier),
        code_challenge_method: isPlain ? "plain" : "S256",
      }),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { ...answer, status: "pending", url: url.href, auth_id: flow.id };
  }

  /** Waits at most `timeoutSeconds` for the user; the signal ends it earlier. */
  async wait(
    workspace: Workspace,
    id: string,
    { timeoutSeconds, signal }: { readonly timeoutSeconds: number; readonly signal: AbortSignal },
  ): Promise<Complete<AuthenticationResult>> {
    this.#forgetOld();
    const flow = this.#flows.get(id);
    if (flow?.workspace.id !== workspace.id) return { status: "not_found", token: null };
    const answered = new AbortController();
    const ends = AbortSignal.any([answered.signal, signal]);
    const late = () => undefined;
    const timeout = this.#platform.clock.sleep(timeoutSeconds * 1000, ends).then(late, late);
    const token = await Promise.race([flow.ended, timeout]);
    answered.abort();
    if (token === undefined) return { status: "timeout", token: null };
    return token === null ? { status: "not_found", token } : { status: "completed", token };
  }

  /** The user is back: the provider's code becomes a token; throws 400, and 502 when the provider gives none. */
  async finish(providerId: string, callback: Callback): Promise<void> {
    this.#forgetOld();
    const flow = [...this.#flows.values()].find(
      (one) => one.providerId === providerId && one.state === callback.state,
    );
    if (!flow)
      throw problem(
        400,
        `no authentication at '${providerId}' waits for this state; start it again`,
      );
    const { store } = this.#platform;
    const stored = store.oauthProviders.get(flow.workspace.id, providerId);
    // A code can be used once, so this state can too.
    this.#flows.set(flow.id, { ...flow, state: randomUUID() });
    try {
      if (!stored) throw problem(400, `OAuth provider '${providerId}' has been deleted`);
      if (callback.code === undefined)
        throw problem(400, `'${providerId}' gave no code: ${wordsOf(callback)}`);
      const redirectUri = this.#redirectUri(providerId);
      const grant = { code: callback.code, redirectUri, verifier: flow.verifier };
      const given = await exchangeCode(stored, grant);
      flow.end(this.#keep(flow, given));
    } catch (error) {
      flow.end(null);
      throw error;
    }
  }

  #keep(flow: Flow, given: Awaited<ReturnType<typeof exchangeCode>>): string {
    const { store, clock } = this.#platform;
    const at = clock.stamp();
    const { scope, expires_in: seconds = null } = given;
    const token = {
      id: randomUUID(),
      provider_id: flow.providerId,
      provider_account_label: null,
      scopes: scope?.split(/[ ,]+/).filter(Boolean) ?? [...flow.scopes],
      expires_at: seconds === null ? null : new Date(clock.now() + seconds * 1000).toISOString(),
      is_default: flow.isDefault,
      created_at: at,
      updated_at: at,
    };
    store.oauthTokens.put(flow.workspace.id, { token, access_token: given.access_token });
    return given.access_token;
  }

  #add(workspace: Workspace, body: z.output<typeof Authenticate>, usesPkce: boolean): Flow {
    this.#forgetOld();
    let end: Flow["end"] = () => {};
    const ended = new Promise<string | null>((resolve) => (end = resolve));
    const flow = {
      id: randomUUID(),
      workspace,
      providerId: body.provider,
      scopes: body.scopes,
      isDefault: body.is_default,
      state: randomBytes(32).toString("base64url"),
      verifier: usesPkce ? randomBytes(32).toString("base64url") : undefined,
      startedMs: this.#platform.clock.now(),
      ended,
      end,
    };
    this.#flows.set(flow.id, flow);
    return flow;
  }

  #redirectUri(providerId: string): string {
    return `${this.#platform.url}/v2/auth/callback/${providerId}`;
  }

  #forgetOld(): void {
    const oldestMs = this.#platform.clock.now() - LIFETIME_MS;
    for (const flow of this.#flows.values())
      if (flow.startedMs < oldestMs) {
        flow.end(null);
        this.#flows.delete(flow.id);
      }
  }
}

function wordsOf({ error, error_description: description }: Callback): string {
  return [error, description].filter((text) => text !== undefined).join(": ") || "no reason given";
}

/** RFC 7636 §4.2. */
function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
