import { expect } from "chai";
import { CRON_COLUMNS } from "../../../local/page/agent-lists";
import { ColumnTable } from "../../../local/page/pieces";
import { CronResponse } from "../../../sdk/schema/cron";
import { ServerUnavailable } from "../../../local/drivers/driver";
import { curl, graphOf } from "../../../local/page/runs";
import { parseThreadSearch } from "../../../local/page/thread-search";
import { ThreadView } from "../../../local/page/thread-view";
import { age, duration } from "../../../local/page/words";

const THREAD_ID = "0199f3a1-7712-7abc-8def-c0ffee123456";
const AT = "2026-11-24T10:00:00Z";
const times = { created_at: AT, updated_at: AT, metadata: { graph_id: "agent" } };
const thread = { thread_id: THREAD_ID, status: "idle", ...times };
const stateOf = (more: object, content: unknown = "Hello") => ({
  values: { messages: [{ type: "ai", content }], cart: { items: [{ sku: "<b>" }] } },
  next: [],
  checkpoint: { checkpoint_id: "1f1e547c-5bc3-6000-8000-0123456789ab" },
  ...more,
});
const facts = {
  url: "",
  dataDir: "/data",
  driver: "process" as const,
  version: "0",
  agentAuth: false,
};

describe("the graph of an agent server", () => {
  it("is left out while the server cannot be asked, and asked for again", async () => {
    const graphs = new Map();
    const open = () => Promise.reject(new ServerUnavailable("the deployment is shutting down"));
    expect(await graphOf({ graphs }, { active_revision_id: "r" }, open)).to.equal(undefined);
    expect(graphs.size).to.equal(0);
  });
});

describe("a command for an agent server", () => {
  it("has the key that the platform asks for, else the one that the server asks for, and quotes what a shell would read", () => {
    const secrets = [{ name: "BUILT_IN_SERVER_API_KEY", value: "CANARY" }];
    const command = (agentAuth: boolean, of: typeof secrets, body?: object) =>
      curl({ ...facts, agentAuth }, { url: "http://h/a", secrets: of }, "/ok", body);
    expect(command(false, [])).to.equal("curl http://h/a/ok");
    for (const [agentAuth, of, key] of [
      [true, secrets, "AGENTSERVER_API_KEY"],
      [true, [], "AGENTSERVER_API_KEY"],
      [false, secrets, "BUILT_IN_SERVER_API_KEY"],
    ] as const)
      expect(command(agentAuth, [...of])).to.equal(`curl http://h/a/ok -H "X-Api-Key: $${key}"`);
    expect(command(false, [], { a: "it's" })).to.contain(String.raw`--json '{"a":"it'\''s"}'`);
  });
});

describe("durations and ages", () => {
  it("are in the largest unit that says enough", () => {
    for (const [milliseconds, lasted, past] of [
      [-1, "0 ms", "just now"],
      [999, "999 ms", "just now"],
      [9_949, "9.9 s", "just now"],
      [10_000, "10 s", "10 s ago"],
      [59_499, "59 s", "50 s ago"],
      [60_000, "1 min", "1 min ago"],
      [3_599_000, "59 min 59 s", "59 min ago"],
      [3_600_000, "1 h", "1 h ago"],
      [47.5 * 3_600_000, "47 h 30 min", "47 h ago"],
      [48 * 3_600_000, "48 h", "2 days ago"],
    ] as const)
      expect([duration(milliseconds), age(milliseconds)]).to.deep.equal([lasted, past]);
  });
});

describe("the list of crons", () => {
  it("has the next firing as a time, which the switch to local times changes too", async () => {
    const named = { cron_id: "c", assistant_id: "a", schedule: "0 9 * * *", timezone: "UTC" };
    const dates = { created_at: AT, updated_at: AT, next_run_date: "2026-12-01T08:00:00+00:00" };
    const items = [CronResponse.parse({ ...named, ...dates, metadata: {}, enabled: true })];
    const rendered: unknown = await ColumnTable({ label: "Crons", columns: CRON_COLUMNS, items });
    expect(String(rendered)).to.contain(
      `<time datetime="2026-12-01T08:00:00.000Z" title="2026-12-01 08:00:00 UTC">2026-12-01 08:00:00 UTC</time>`,
    );
  });
});

describe("the view of a thread", () => {
  const show = async (changes: object, state: object = stateOf({}), graph?: string) => {
    const rendered: unknown = await ThreadView({
      parts: { facts },
      deployment: { id: "d", url: "http://127.0.0.1:8123/agents/d", secrets: [] },
      thread: { ...thread, ...changes },
      history: [state],
      state,
      graph,
    });
    return String(rendered);
  };

  it("begins with the error of the last run and its node", async () => {
    const python = { id: "1", name: "tools", error: "ValueError('no <order>')" };
    const javascript = { id: "2", name: "agent", error: '{"name":"Error","message":"401 no key"}' };
    const html = await show({ status: "error" }, stateOf({ tasks: [python, javascript] }));
    const start = html.slice(0, html.indexOf("Conversation"));
    expect(start).to.contain("The last run failed").and.contain("Node tools");
    expect(start).to.contain("ValueError(&#39;no &lt;order&gt;&#39;)");
    expect(start).to.contain("Error: 401 no key");
  });

  it("begins with what an interrupted run waits for, wherever the server says it", async () => {
    const value = { question: "Refund 40 €?" };
    const task = { id: "t1", name: "approve", interrupts: [{ id: "i", value }] };
    const { interrupts, ...bare } = task;
    for (const [changes, state] of [
      [{ interrupts: { t1: interrupts } }, stateOf({ tasks: [bare] })],
      [{}, stateOf({ tasks: [task] })],
    ] as const) {
      const html = await show({ status: "interrupted", ...changes }, state);
      const start = html.slice(0, html.indexOf("Conversation"));
      expect(start).to.contain("Node approve waits for").and.contain("Refund 40 €?");
    }
    const paused = await show({ status: "interrupted" }, stateOf({ next: ["approve"] }));
    expect(paused).to.contain("It stopped before approve.");
    expect(await show({})).not.to.contain("interrupted");
  });

  it("has a command for a waited run, and to resume an interrupted one, where graphs run; folds JSON, and escapes it", async () => {
    const run = `/agents/d/threads/${THREAD_ID}/runs/wait`;
    const idle = await show({}, stateOf({}), "other");
    expect(idle).to.contain(run).and.contain("&quot;assistant_id&quot;:&quot;agent&quot;");
    expect(idle).not.to.contain("resume");
    const interrupted = await show({ status: "interrupted" }, stateOf({}), "agent");
    expect(interrupted).to.contain("{&quot;resume&quot;:&quot;yes&quot;}");
    expect(await show({})).not.to.contain("runs/wait");
    const html = await show({});
    expect(html).to.contain("<summary>").and.contain("&lt;b&gt;").and.contain("cart: ");
    expect(html).to.contain(">0123456789ab</code>"); // the end of the checkpoint's id
  });

  it("shows Markdown, of which nothing is markup or leads to a script, though it is nested too deeply, and long", async () => {
    const text = [
      "# Title\n\n**bold** `code` [site](https://example.com/?a=1&b=2)",
      "[x](javascript:alert(1)) [y](data:text/html,x) <img src=x onerror=alert(1)>",
      '![pic](https://example.com/p.png "a\\"b") <script>alert(1)</script> &lt;',
      "- one\n- [x] two\n\n```html\n<script>\n```\n\n|a|b|\n|-|-|\n|1|<i>|",
    ].join("\n\n");
    const html = await show({}, stateOf({}, text));
    expect(html).to.contain("<strong>bold</strong>").and.contain("<code>code</code>");
    expect(html).to.contain('href="https://example.com/?a=1&amp;b=2"').and.contain("<table>");
    expect(html).to.contain("<pre").and.contain("☑").and.contain("&lt;script&gt;");
    expect(html).not.to.match(/<(?:img|script|i)\b/);
    expect(html).not.to.match(/href="(?!https:|\/)/);
    for (const part of [">", "[", "- ", "*a **"])
      expect(await show({}, stateOf({}, part.repeat(20_000 / part.length)))).to.contain(
        "Conversation",
      );
  });
});

describe("parseThreadSearch", () => {
  it("reads pairs, quoted or not, and values that are JSON", () => {
    const text = 'user=ada tier=2 vip=true "a name"="two words" empty= url="https://x/?a=1&b=2"';
    const named = { "a name": "two words", empty: "", url: "https://x/?a=1&b=2" };
    const { metadata } = parseThreadSearch(text);
    expect(metadata).to.deep.equal({ user: "ada", tier: 2, vip: true, ...named });
  });
});
