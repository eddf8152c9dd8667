import { expect } from "chai";
import { readSettings, SettingsError } from "../../settings/settings";
import {
  NAMESPACE,
  type SettingName,
  type SettingsSource,
  variableOf,
} from "../../settings/source";

type Values = Readonly<Partial<Record<SettingName, string>>>;

/** The settings of two control planes, by what each value is. */
const HERE = { baseUrl: "https://here.example.com", apiKey: "key-here", workspaceId: "w-here" };
const THERE = { baseUrl: "https://there.example.com", apiKey: "key-there", workspaceId: "w-there" };
const NAMES = ["baseUrl", "apiKey", "bearerToken", "workspaceId"] as const;

/** Where a program or a command gives a setting, beside the environment. */
const GIVEN: Readonly<Record<string, { origin?: SettingsSource; more: Record<string, string> }>> = {
  "the stack's configuration": { more: {} },
  "a Provider's arguments": { more: { [`${NAMESPACE}explicit`]: "true" } },
  "a command's options": { origin: "command", more: {} },
};

const pick = (values: Values, names: readonly SettingName[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.some((one) => one === name)));
const without = (values: Values, ...names: readonly SettingName[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.some((one) => one === name)));

/** Where a request would go, and with what; undefined where the settings are refused. */
function sent(given: Values, environment: Values, { origin, more }: (typeof GIVEN)[string]) {
  const config = Object.entries(given).map(([name, value]) => [NAMESPACE + name, value]);
  const variables = Object.entries(environment).map(([name, value]) => [variableOf(name), value]);
  const all = { ...Object.fromEntries(config), ...more };
  try {
    const read = readSettings(all, Object.fromEntries(variables), origin);
    const { baseUrl, apiKey, bearerToken, workspaceId } = read;
    return { baseUrl, key: apiKey ?? bearerToken, workspaceId };
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

function subsets<Name>([first, ...rest]: readonly Name[]): Name[][] {
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((others) => [others, [first, ...others]]);
}

const AS_KEY = { apiKey: (values: typeof HERE): Values => values, bearerToken: asToken };

function asToken({ apiKey, ...rest }: typeof HERE): Values {
  return { ...rest, bearerToken: apiKey };
}

describe("the sources of settings", () => {
  for (const [place, source] of Object.entries(GIVEN)) {
    it(`send nothing that stands beside one URL to the other one: ${place} and the environment`, () => {
      let refused = 0;
      for (const given of subsets(NAMES))
        for (const known of subsets(NAMES))
          for (const here of Object.values(AS_KEY))
            for (const there of Object.values(AS_KEY)) {
              const own = pick(here(HERE), given);
              const environment = pick(there(THERE), known);
              const request = sent(own, environment, source);
              if (request === undefined) refused++;
              const both = JSON.stringify([own, environment]);
              if (request?.baseUrl === HERE.baseUrl && environment.baseUrl)
                expect(JSON.stringify(request), both).not.to.contain("there");
              if (request?.baseUrl === THERE.baseUrl && own.baseUrl)
                expect(JSON.stringify(request), both).not.to.contain("here.");
            }
      expect(refused).to.be.within(1, 1023);
    });

    it(`complete each other where they name one host, or one of them names none: ${place} and the environment`, () => {
      const isAlone = place === "a Provider's arguments";
      const expected = { baseUrl: HERE.baseUrl, key: HERE.apiKey, workspaceId: HERE.workspaceId };
      for (const ask of Object.values(AS_KEY))
        for (const names of subsets(NAMES)) {
          const whole = ask(HERE);
          const given = pick(whole, names);
          // What is not given, the environment has; with the same URL besides, in another form.
          const rest = without(whole, ...names);
          const isNothing = Object.keys(given).length === 0;
          const isAll = Object.keys(rest).length === 0;
          const wanted = isAlone && !isNothing && !isAll ? undefined : expected;
          for (const more of [{}, { baseUrl: "https://HERE.example.com:443/" }])
            expect(
              sent(given, { ...more, ...rest }, source),
              JSON.stringify([given, more, rest]),
            ).to.deep.equal(wanted);
        }
    });
  }

  it("of a Provider that names none of the four are those of the environment", () => {
    const { "a Provider's arguments": source = { more: {} } } = GIVEN;
    expect(sent({ requestTimeoutSeconds: "5" }, THERE, source)).to.include({ key: THERE.apiKey });
  });

  it("that are of two hosts, ports or schemes are reported with the variable to set", () => {
    const config = { "agentserver:baseUrl": HERE.baseUrl };
    const environment = {
      AGENTSERVER_API_KEY: THERE.apiKey,
      AGENTSERVER_WORKSPACE_ID: THERE.workspaceId,
    };
    for (const url of [THERE.baseUrl, `${HERE.baseUrl}:8443`, HERE.baseUrl.replace("s:", ":")])
      expect(() => readSettings(config, { ...environment, AGENTSERVER_BASE_URL: url })).to.throw(
        SettingsError,
        /^agentserver:apiKey is missing: .*\nagentserver:workspaceId is missing: .*\nAGENTSERVER_BASE_URL names another host, .*: set the three together$/,
      );
    const elsewhere = { ...environment, AGENTSERVER_BASE_URL: THERE.baseUrl };
    const keyed = { ...config, "agentserver:apiKey": HERE.apiKey };
    expect(() => readSettings(keyed, elsewhere)).to.throw(
      /^agentserver:workspaceId is missing: .*\nAGENTSERVER_BASE_URL names another host/,
    );
    // A Provider that names anything takes nothing of the environment.
    expect(() => readSettings({ ...keyed, "agentserver:explicit": "true" }, elsewhere)).to.throw(
      /^the argument `workspaceId` of its Provider is missing: .*$/,
    );
  });
});
