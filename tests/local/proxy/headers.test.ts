import { expect } from "chai";
import { requestHeaders } from "../../../local/proxy/headers";

const DESTINATION = { origin: "http://127.0.0.1:40001", prefix: "/agents/a" };

describe("the headers of a forwarded request", () => {
  const sent = (headers: Record<string, string>): Record<string, string> =>
    requestHeaders(new Request("http://platform.example/agents/a/x", { headers }), DESTINATION);

  const dropped: [title: string, headers: Record<string, string>, name: string][] = [
    ...[
      "Connection",
      "Expect",
      "Keep-Alive",
      "Proxy-Authenticate",
      "Proxy-Authorization",
      "Proxy-Connection",
      "TE",
      "Trailer",
      "Transfer-Encoding",
      "Upgrade",
    ].map((name): [string, Record<string, string>, string] => [name, { [name]: "x" }, name]),
    ["named by Connection", { Connection: "X-Mine", "x-mine": "1" }, "x-mine"],
    ["named in another case", { connection: "x-mine", "X-MINE": "1" }, "x-mine"],
    ["named among others", { Connection: "close ,\tX-Mine , te", "X-Mine": "1" }, "x-mine"],
    ["the page's cookie alone", { Cookie: "agentserver_page=1" }, "cookie"],
  ];
  for (const [title, headers, name] of dropped)
    it(`have none of the connection: ${title}`, () => {
      const names = Object.keys(sent({ ...headers, "X-Kept": "1" }));
      expect(names).to.include("x-kept").and.not.include(name.toLowerCase());
    });

  it("keep what a caller says itself, but where it came from", () => {
    const cookie = "a=1; agentserver_page_8123=2; b=agentserver_page";
    expect(sent({ Cookie: cookie, Authorization: "x", "X-Forwarded-Host": "other" })).to.deep.equal(
      {
        authorization: "x",
        cookie: "a=1; b=agentserver_page",
        host: "platform.example",
        "x-forwarded-host": "platform.example",
        "x-forwarded-prefix": "/agents/a",
        "x-forwarded-proto": "http",
      },
    );
  });
});
