import { z } from "zod";
import { OAuthProvider, OAuthProvidersList } from "../../sdk/schema";
import { textOf } from "../../shared/records";
import type { Declared } from "./provider";
import type { Random } from "./random";
import { declarationOf, followKeyAdvice, PLAIN, type Subject } from "./subject";
import type { Trial } from "./trial";

/** The declaration. */
interface Wish {
  providerId: string;
  name: string;
  clientId: string;
  clientSecret: string;
}

/** Begins a client's id that the program has made secret. */
const SECRET = "secret-value-";

const PATH = "/v2/auth/providers";
const Inputs = z.object({ providerId: z.string(), name: z.string(), clientId: z.string() });
const ADDRESSES = {
  authUrl: "https://login.example.com/authorize",
  tokenUrl: "https://login.example.com/token",
};

/** An OAuth provider, whose client secret nothing may show. */
export async function oauthProviderSubject(trial: Trial, shape: Random): Promise<Subject> {
  const providerId = `${trial.place.logicalName}-0`;
  return subjectOf(trial, {
    providerId,
    name: "Calendar",
    clientId: shape.chance(0.3) ? `${SECRET}a` : "a",
    clientSecret: "secret-value-0",
  });
}

function subjectOf(trial: Trial, wish: Wish): Subject {
  const { workspace, place, ownName, isOthers } = trial;
  const all = () => workspace.get(OAuthProvidersList, PATH);
  const declared = (): Declared => {
    const paths = wish.clientId.startsWith(SECRET) ? ["clientId"] : [];
    return declarationOf("oauthProvider", place, { ...wish, ...ADDRESSES }, paths);
  };
  return {
    ...PLAIN,
    declared,
    ignorable: ["name"],
    twin: (other) => subjectOf(other, { ...wish }),
    change(how, isUnfinished) {
      const count = how.below(3);
      if (!isUnfinished && how.chance(0.2)) wish.providerId = `${place.logicalName}-${count}`;
      else if (how.chance(0.3)) wish.name = `Calendar ${count}`;
      else if (how.chance(0.5))
        wish.clientId = wish.clientId.slice(0, -1) + how.pick(["a", "b", "c"]);
      else wish.clientSecret = `secret-value-${count}`;
      return `${wish.providerId}, ${wish.name}, client ${wish.clientId}`;
    },
    isReplacing: ({ providerId }) => providerId !== wish.providerId,
    nameIn: ({ providerId }) => textOf(providerId),
    take: (name) => `providerId: ${(wish.providerId = name)}`,
    async createConflicting() {
      const body = {
        provider_id: wish.providerId,
        name: "Theirs",
        client_id: "theirs",
        auth_url: ADDRESSES.authUrl,
        token_url: ADDRESSES.tokenUrl,
      };
      const status = await workspace.send("POST", PATH, body);
      return status < 300 ? wish.providerId : undefined;
    },
    async shown(id) {
      const found = await workspace.find(OAuthProvider, `${PATH}/${id}`);
      return found && { ...found, updated_at: undefined };
    },
    async drift() {
      const found = (await all()).find(({ provider_id: id }) => !isOthers(id));
      if (found === undefined) return undefined;
      const path = `${PATH}/${found.provider_id}`;
      return `renames the OAuth provider: ${await workspace.send("PATCH", path, { name: "Theirs" })}`;
    },
    followAdvice: (error, state) =>
      followKeyAdvice(error, /OAuth provider (\S+) exists with this providerId/.exec(error)?.[1], {
        isOthers,
        rename: (id) =>
          `providerId: ${(wish.providerId = id === ownName ? `${id}-next` : ownName)}`,
        // An import does not know what the program has made secret.
        imports: () => !wish.clientId.startsWith(SECRET) && state.length === 0,
        remove: async (id) =>
          `deletes OAuth provider ${id}: ${await workspace.send("DELETE", `${PATH}/${id}`)}`,
      }),
    async wrongAtRest(stored) {
      const found = (await all()).find(({ provider_id: id }) => id === stored.id);
      if (found === undefined) return [];
      const { name, client_id } = found;
      return name === wish.name && client_id === wish.clientId
        ? []
        : [`declared ${wish.name}, ${wish.clientId}, there ${name}, ${client_id}`];
    },
    async isLike(inputs, id) {
      const { providerId, name, clientId } = Inputs.parse(inputs);
      const found = (await all()).find(({ provider_id }) => provider_id === id);
      return providerId === id && found?.name === name && found.client_id === clientId;
    },
    live: async () => (await all()).map(({ provider_id: id }) => id),
    remove: async (id) => void (await workspace.send("DELETE", `${PATH}/${id}`)),
  };
}
