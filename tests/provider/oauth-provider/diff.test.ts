import { expect } from "chai";
import {
  difference as compare,
  oauthProviderArguments,
} from "../../../provider/oauth-provider/diff";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { EVERY_OAUTH_INPUT, OAUTH_INPUTS } from "../../support/inputs";

const { decode, problems, updateProblems } = oauthProviderArguments;
const GOOD = OAUTH_INPUTS;
const EVERYTHING = { ...EVERY_OAUTH_INPUT, clientSecret: "canary" };

const difference = (olds: Props, news: Props) => compare(decode(olds), decode(news));
const refusals = (olds: Props, news: Props) =>
  updateProblems(decode(olds), decode(news)).map(({ property, reason }) => `${property} ${reason}`);

describe("an OAuth provider's arguments", () => {
  const BARE = { ...GOOD, __urn: "urn", clientSecret: null, usesPkce: null };
  const fine: [string, Props][] = [
    ["the least", GOOD],
    ["every one", EVERYTHING],
    ["hidden inputs, and null for what is not set", BARE],
    ["unknown ones", Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, UNKNOWN]))],
  ];
  for (const [what, inputs] of fine)
    it(`may be ${what}`, () => expect(problems(inputs)).to.deep.equal([]));

  const NO_URL = "must be a URL such as https://support.example.com";
  const wrong: [Props, string, string][] = [
    [{ providerId: "no slug" }, "providerId", "must be a slug: letters, digits"],
    [{ clientId: undefined }, "clientId", "is required"],
    [{ clientSecret: "" }, "clientSecret", "must be a non-empty string"],
    ...["nowhere", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"].flatMap(
      (url): [Props, string, string][] => [
        [{ authUrl: url }, "authUrl", NO_URL],
        [{ tokenUrl: url }, "tokenUrl", NO_URL],
      ],
    ),
    [{ providerType: "other" }, "providerType", "must be one of microsoft, salesforce, slack"],
  ];
  for (const [inputs, property, reason] of wrong)
    it(`report for ${JSON.stringify(inputs)}: ${property} ${reason}`, () => {
      const [problem, ...others] = problems({ ...GOOD, ...inputs });
      expect(problem?.property).to.equal(property);
      expect(problem?.reason).to.contain(reason);
      expect(others).to.be.empty;
    });

  const removed = ({ ...rest }: Props, ...names: string[]) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name)));

  it("are refused by name where an update would have to clear them, with what to declare instead", () => {
    const news = removed(EVERYTHING, "clientSecret", "usesPkce", "codeChallengeMethod");
    const cannot = "can't be removed, since the service has no way to clear it;";
    expect(refusals(EVERYTHING, news)).to.deep.equal([
      `clientSecret ${cannot} set the secret again, or another providerId, which replaces the provider`,
      `usesPkce ${cannot} set false`,
      `codeChallengeMethod ${cannot} set S256, its default`,
    ]);
  });

  it("may be removed where their value is the service's default, and where the provider is replaced or may be", () => {
    const defaults = { usesPkce: false, codeChallengeMethod: "S256" };
    expect(refusals({ ...GOOD, ...defaults }, GOOD)).to.deep.equal([]);
    for (const providerId of ["other", UNKNOWN])
      expect(
        refusals(EVERYTHING, { ...removed(EVERYTHING, "clientSecret"), providerId }),
      ).to.deep.equal([]);
  });
});

describe("an OAuth provider's diff", () => {
  it("replaces when the provider id changes, and creates the new one first", () =>
    expect(difference(GOOD, { ...GOOD, providerId: "other" })).to.deep.equal({
      result: { replaces: ["providerId"], deleteBeforeReplace: false },
      message:
        "replaced, since providerId can't be changed: the new provider is created first, and the old one is deleted last",
      loss: "the new provider is created first, and the old one is deleted last",
    }));

  it("deletes first when the provider id stays, as a workspace has one provider for each", () =>
    expect(
      difference(EVERYTHING, {
        ...EVERYTHING,
        providerType: "microsoft",
        tokenEndpointAuthMethod: "none",
      }),
    ).to.deep.equal({
      result: { replaces: ["providerType", "tokenEndpointAuthMethod"], deleteBeforeReplace: true },
      message:
        "replaced, since providerType, tokenEndpointAuthMethod can't be changed: deleted first, since a workspace has one provider for each providerId",
      loss: "deleted first, since a workspace has one provider for each providerId",
    }));

  it("replaces nothing where the service's default is declared or removed; the update then sends nothing", () => {
    const declared = { ...GOOD, tokenEndpointAuthMethod: "client_secret_post" };
    for (const [olds, news] of [
      [GOOD, declared],
      [declared, GOOD],
    ] as const)
      expect(difference(olds, news)).to.deep.equal({ result: {}, message: undefined });
  });

  it("changes all that a PATCH takes in place, without a word of a value", () => {
    const urls = { authUrl: "https://new.example.com", tokenUrl: "https://new.example.com" };
    const texts = { ...urls, name: "New", clientId: "new", clientSecret: "new-canary" };
    const news = { ...EVERYTHING, ...texts, usesPkce: false, codeChallengeMethod: "S256" };
    expect(difference(EVERYTHING, news)).to.deep.equal({ result: {}, message: undefined });
  });

  const nothing: [string, Props, Props][] = [
    ["the same inputs", EVERYTHING, EVERYTHING],
    [
      "another form of the slug and the URLs",
      GOOD,
      {
        ...GOOD,
        providerId: GOOD.providerId.toUpperCase(),
        authUrl: `${GOOD.authUrl}/`,
        tokenUrl: `${GOOD.tokenUrl}/`,
      },
    ],
    ["hidden inputs", { ...GOOD, __urn: "x" }, { ...GOOD, __urn: "y" }],
    ["outputs", { ...GOOD, updatedAt: "then", clientSecret: null, providerType: null }, GOOD],
  ];
  for (const [what, olds, news] of nothing)
    it(`sees no change in ${what}`, () =>
      expect(difference(olds, news)).to.deep.equal({
        result: { changes: false },
        message: undefined,
      }));

  it("replaces nothing because of an unknown value, and says which one may replace it", () =>
    expect(
      difference(EVERYTHING, { ...EVERYTHING, providerId: UNKNOWN, providerType: UNKNOWN }),
    ).to.deep.equal({
      result: {},
      message:
        "may be replaced, depending on a value known only during the update (providerId, providerType)",
    }));
});
