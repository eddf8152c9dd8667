import { createHash, randomUUID } from "node:crypto";
import { json, startServer } from "./http";

/** A user's yes, by the address that the control plane named: where the browser would go then. */
type Agree = (url: string) => string;

/**
 * A stand-in for an OAuth provider, which cannot be had offline: a token endpoint that takes a code once, from the client
 * with the secret, with PKCE's verifier, as RFC 6749 §4.1.3 and RFC 7636 §4.6 say.
 */
export async function startAuthorizationServer(clientSecret: string): Promise<{
  readonly url: string;
  readonly agree: Agree;
  readonly close: () => Promise<void>;
}> {
  const challenges = new Map<string, string>();
  const { url, close } = await startServer(({ headers, body }, response) => {
    const form = new URLSearchParams(body);
    const code = form.get("code") ?? "";
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    const basic = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64");
    const isClient =
      decodeURIComponent(basic.toString()) === `client:${clientSecret}` ||
      (form.get("client_id") === "client" && form.get("client_secret") === clientSecret);
    if (!isClient)
      return json(response, 401, {
        error: "invalid_client",
        sent: body,
        by: headers.authorization,
      });
    if (challenges.get(code) !== verifier.digest("base64url"))
      return json(response, 400, { error: "invalid_grant" });
    challenges.delete(code);
    return json(response, 200, { access_token: `token-of-${code}`, expires_in: 3600 });
  });
  return {
    url,
    close,
    agree(address) {
      const { searchParams } = new URL(address);
      const code = `${randomUUID()}-for-${searchParams.get("scope")}`;
      challenges.set(code, searchParams.get("code_challenge") ?? "");
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return back.href;
    },
  };
}
