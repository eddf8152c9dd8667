import { createHash, randomUUID } from "node:crypto";
import { json, startServer } from "./http";

/**
 * A stand-in for an OAuth provider, which cannot be had offline: a token endpoint that takes a code once, from the client
 * with the secret, with PKCE's verifier, as RFC 6749 §4.1.3 and RFC 7636 §4.6 say. Where the address has `granted`, its token
 * has these scopes and no end; where it has `public`, it takes a client that sends no secret. What it does not say is null,
 * and who has used a code is refused with 200, as by real providers.
 */
export async function startAuthorizationServer(clientSecret: string) {
  const asked = new Map<string, URLSearchParams>();
  const { url, close } = await startServer(({ headers, body }, response) => {
    const form = new URLSearchParams(body);
    const code = form.get("code") ?? "";
    const query = asked.get(code);
    const basic = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64");
    const isSent =
      decodeURIComponent(basic.toString()) === `client:${clientSecret}` ||
      (form.get("client_id") === "client" && form.get("client_secret") === clientSecret);
    const isClient = isSent !== (query?.has("public") ?? false);
    const refusal = { error: "invalid_client", sent: body, by: headers.authorization };
    if (!isClient) return json(response, 401, refusal);
    if (!query) return json(response, 200, { error: "bad_verification_code" });
    if (challengeOf(form, query) !== query.get("code_challenge"))
      return json(response, 400, { error: "invalid_grant" });
    asked.delete(code);
    const granted = query.get("granted");
    const terms = { expires_in: granted === null ? 3600 : null, scope: granted };
    return json(response, 200, { access_token: `token-of-${code}`, ...terms });
  });
  return {
    url,
    close,
    /** A user's yes to the address that the control plane named: where the browser would go then. */
    agree(address: string): string {
      const { searchParams } = new URL(address);
      const code = `${randomUUID()}-for-${searchParams.get("scope")}`;
      asked.set(code, searchParams);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return back.href;
    },
  };
}

/** The challenge of a verifier by the method that was asked for; null without a verifier. */
function challengeOf(form: URLSearchParams, query: URLSearchParams): string | null {
  const verifier = form.get("code_verifier");
  if (verifier === null || query.get("code_challenge_method") === "plain") return verifier;
  return createHash("sha256").update(verifier).digest("base64url");
}
