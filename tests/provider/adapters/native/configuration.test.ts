import { expect } from "chai";
import {
  configurationOf,
  configurationProblems,
  settingsDiffer,
} from "../../../../provider/adapters/native/configuration";
import { type Props, UNKNOWN } from "../../../../provider/arguments/props";
import { VARIABLES } from "../../../../settings/source";

const urnOf = (name: string) => `urn:pulumi:test::shop::pulumi:providers:agentserver::${name}`;
const MARK = { "agentserver:explicit": "true" };
const KEY = { "agentserver:apiKey": "key" };
const MARKED = { ...KEY, ...MARK };
const TEXTS = {
  "agentserver:waitTimeoutSeconds": "90",
  "agentserver:selfHosted": "true",
  "agentserver:headers": '{"A":"b"}',
};
const WHOLE = { baseUrl: "https://a.example.com", apiKey: "key", workspaceId: "w" };

describe("the configuration of the native provider", () => {
  const NONE = { version: "1", pluginDownloadURL: "u", __defaults: [], apiKey: null };
  const texts = { waitTimeoutSeconds: 90, selfHosted: true, headers: { A: "b" } };
  const rows: [title: string, name: string, args: Props, config: Props][] = [
    ["the engine's own provider has no mark", "default", { apiKey: "key" }, KEY],
    ["nor has it with an SDK's version in its name", "default_1_2_3", { apiKey: "key" }, KEY],
    ["an explicit one has", "eu", { apiKey: "key" }, MARKED],
    ["also where its name begins alike", "defaults", {}, MARK],
    ["also where its name ends alike", "the-default", {}, MARK],
    ["a state of the dynamic provider names them whole", "default", MARKED, MARKED],
    ["what is not a setting is left out", "default", NONE, {}],
    ["numbers, flags and headers are texts", "default", texts, TEXTS],
  ];
  for (const [title, name, args, config] of rows)
    it(`is that of the stack, as texts: ${title}`, () =>
      expect(configurationOf(args, urnOf(name))).to.deep.equal(config));

  describe("is checked", () => {
    const before = { ...process.env };
    const clear = () => Object.values(VARIABLES).forEach((name) => delete process.env[name]);
    beforeEach(clear);
    afterEach(() => (clear(), Object.assign(process.env, before)));

    const WRONG = { ...WHOLE, workspace: "w" };
    const TWO = /^agentserver:baseUrl is missing: .*;agentserver:workspaceId /;
    const ALL = /^AGENTSERVER_BASE_URL is missing: .*;AGENTSERVER_API_KEY is.*_ID is/;
    const UNKNOWN_SETTING = /^unknown setting 'agentserver:workspace';/;
    const problems: [title: string, name: string, args: Props, key: string, RegExp][] = [
      ["nothing is wrong", "eu", WHOLE, "", /^$/],
      ["there is none at all, which each resource reports", "default", NONE, "", /^$/],
      ["a part is not known yet", "eu", { ...WHOLE, workspaceId: "", apiKey: UNKNOWN }, "", /^$/],
      ["a part of the headers is not known yet", "eu", { headers: { A: UNKNOWN } }, "", /^$/],
      ["the environment alone has one", "default", {}, "k", TWO],
      ["an explicit one has none", "eu", {}, "", ALL],
      ["a name is none", "eu", WRONG, "", /^unknown Provider argument 'workspace'; did you mean w/],
      ["a name of the stack is none", "default", WRONG, "", UNKNOWN_SETTING],
    ];
    for (const [title, name, args, key, expected] of problems)
      it(`with every problem at once: ${title}`, () => {
        if (key !== "") process.env[VARIABLES.apiKey] = key;
        const found = configurationProblems(args, urnOf(name));
        expect(found.map(({ property, reason }) => property + reason).join(";")).to.match(expected);
      });
  });

  const changes: [title: string, olds: Props, news: Props, differ: boolean][] = [
    ["another SDK", { ...WHOLE, version: "1" }, { ...WHOLE, version: "2" }, false],
    ["a state of the dynamic provider", KEY, { apiKey: "key" }, false],
    ["null for absence", { apiKey: "key", headers: null }, { apiKey: "key" }, false],
    ["another key", KEY, { apiKey: "other" }, true],
    ["a setting that is removed", WHOLE, { ...WHOLE, workspaceId: undefined }, true],
  ];
  for (const [title, olds, news, differ] of changes)
    it(`${differ ? "changes" : "does not change"} with ${title}`, () =>
      expect(settingsDiffer(olds, news)).to.equal(differ));
});
