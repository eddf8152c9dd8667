import { ComponentResource, type Output, output, secret } from "@pulumi/pulumi";
import { getOAuthProviderOutput, OAuthProvider } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** OAuth providers in a component, whose secrets arrive in several ways, and a function that reads one of them. */
class Logins extends ComponentResource {
  readonly ids;
  readonly name;

  constructor(names: string[], clientSecret: Output<string>) {
    super("shop:index:Logins", "logins");
    const providers = names.map(
      (name) =>
        new OAuthProvider(
          name,
          {
            providerId: name,
            name: `Sign in with ${name}`,
            clientId: output(`client-of-${name}`),
            clientSecret,
            authUrl: `https://${name}.example.com/authorize`,
            tokenUrl: `https://${name}.example.com/token`,
            usesPkce: true,
          },
          { parent: this },
        ),
    );
    this.ids = providers.map(({ id }) => id);
    this.name = getOAuthProviderOutput({ providerId: this.ids[0] ?? "" }).name;
    this.registerOutputs();
  }
}

export function program(_: Settings, version: number) {
  const given = secret(`secret-${version}`).apply((value) => `${value}-of-the-client`);
  const { ids, name } = new Logins(["tracker", "calendar"], given);
  const mail = new OAuthProvider("mail", {
    providerId: version === 1 ? "mail" : "post",
    name: "Mail",
    clientId: "client-of-mail",
    authUrl: "https://mail.example.com/authorize",
    tokenUrl: "https://mail.example.com/token",
    tokenEndpointAuthMethod: "none",
  });
  return { ids, name, mail: mail.clientId };
}

export const expected: Expected = {
  tier: "nightly",
  steps: {
    "Logins$OAuthProvider tracker": "update",
    "Logins$OAuthProvider calendar": "update",
    "OAuthProvider mail": "replace",
  },
  kept: ["ids", "name", "mail"],
};
