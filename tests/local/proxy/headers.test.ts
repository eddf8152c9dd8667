import { expect } from "chai";
import { requestHeaders } from "../../../local/proxy/headers";

const DESTINATION = { origin: "http://127.0.0.1:40001", prefix: "/agents/a" };

describe("the headers of a forwarded request", () => {
  const sent = (headers: Record<string, string>): Record<string, string> =>
    requestHeaders(new Request("http://platform.example/agents/a/x", { headers }), DESTINATION);
  const OF_CONNECTIONS = [
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
  ];
  it("have none of the connection, nor of those that it names, nor the page's cookie alone", () => {
    for (const headers of [
      ...OF_CONNECTIONS.map((name) => ({ [name]: "x" })),
      { Connection: "X-Mine", "x-mine": "1" },
      { connection: "x-mine", "X-MINE": "1" },
      { Connection: "close ,\tX-Mine , te", "X-Mine": "1" },
      { Cookie: "agentserver_page=1" },
    ]) {
      const names = Object.keys(sent({ ...headers, "X-Kept": "1" }));
      const own = names.filter((name) => !/^(host|x-forwarded-\w+)$/.test(name));
      expect(own, JSON.stringify(headers)).to.deep.equal(["x-kept"]);
    }
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
