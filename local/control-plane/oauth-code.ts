import { z } from "zod";
import { textWithin } from "../../shared/body";
import { messageOf } from "../../shared/errors";
import { recordOf } from "../../shared/records";
import { redact } from "../../shared/redact";
import { reportFailure } from "../platform/stderr";
import type { StoredProvider } from "../store";
import { problem } from "./problems";

/**
 * The members of a provider's answer that are read (RFC 6749 §5.1). An `id_token` is not read: nobody signs in here. Null
 * is absent; a token without scopes may have an empty `scope`, as GitHub's.
 */
const Granted = z.object({
  access_token: z.string().min(1),
  expires_in: z.union([z.null(), z.coerce.number().nonnegative().max(1e9)]).optional(),
  scope: z.string().nullish(),
});

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 1024 * 1024;

/** Exchanges a code for a token at the provider's token endpoint (RFC 6749 §4.1.3); throws 502 without its words: who asks has no key. */
export async function exchangeCode(
  { provider, client_secret: secret }: StoredProvider,
  grant: {
    readonly code: string;
    readonly redirectUri: string;
    readonly verifier: string | undefined;
  },
): Promise<z.output<typeof Granted>> {
  const oauth = await import("oauth4webapi");
  const server = { issuer: provider.token_url, token_endpoint: provider.token_url };
  const client = { client_id: provider.client_id };
  const { token_endpoint_auth_method: method } = provider;
  const authentication =
    secret === null || method === "none"
      ? oauth.None()
      : method === "client_secret_basic"
        ? oauth.ClientSecretBasic(secret)
        : oauth.ClientSecretPost(secret);
  const code = new URLSearchParams({ code: grant.code });
  const callback = oauth.validateAuthResponse(server, client, code, oauth.skipStateCheck);
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      grant.redirectUri,
      grant.verifier ?? oauth.nopkce,
      // A provider on the own machine has no certificate.
      { [oauth.allowInsecureRequests]: true, signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    const text = await textWithin(MAX_BODY_BYTES, response.body);
    if (text === undefined) throw new Error(`its response exceeds ${MAX_BODY_BYTES} bytes`);
    const refused = () => new Error(`${response.status} ${text}`);
    if (!response.ok) throw refused();
    const answer: unknown = JSON.parse(text);
    if (recordOf(answer)["error"]) throw refused(); // GitHub and Slack refuse with 200
    return Granted.parse(answer);
  } catch (error) {
    const failure = `'${provider.provider_id}' gave no token for its code`;
    const words = redact(messageOf(error), secret === null ? [grant.code] : [grant.code, secret]);
    reportFailure(failure, words.slice(0, 300));
    throw problem(502, `${failure}; the standard error of the local platform says why`);
  }
}
