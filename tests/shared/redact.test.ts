import { expect } from "chai";
import { redact } from "pulumi-agentserver/sdk";

describe("removing secrets from a text", () => {
  it("knows them as they stand in JSON and in a URL", () => {
    expect(redact("a%20b%2Fc-key", ["a b/c-key"])).to.equal("[secret]");
    expect(redact('say \\"hush\\" now', ['say "hush" now'])).to.equal("[secret]");
  });

  it("knows them in the JSON of Go and of Python, which escape more", () => {
    const url = "postgres://u:p@db/a?b=<c>&d";
    const forms = [
      String.raw`postgres://u:p@db/a?b=\u003cc\u003e\u0026d`,
      String.raw`Z\u00fcrich \ud83d\udd11`,
      String.raw`a\u2028b-key`,
    ];
    for (const form of forms)
      expect(redact(`"${form}"`, [url, "Zürich 🔑", "a\u2028b-key"])).to.equal('"[secret]"');
  });

  it("knows them in every encoding of a character, in several too, and beside what is encoded", () => {
    const secret = "p/w'=1&2 <ü🔑";
    const forms = [
      // Gson and .NET, PHP, `quote` and `quote_plus` of Python, HTML of Python and of Go, JavaScript, a shell.
      String.raw`p/w\u0027\u003D1\u00262 \u003C\u00FC\uD83D\uDD11`,
      String.raw`p\/w'=1&2 <\u00fc\ud83d\udd11`,
      "p/w%27%3D1%262%20%3C%C3%BC%F0%9F%94%91",
      "p%2fw%27%3d1%262+%3c%c3%bc%f0%9f%94%91",
      "p/w&#x27;=1&amp;2 &lt;ü🔑",
      "p/w&#39;=1&amp;2 &lt;&#252;&#128273;",
      String.raw`p/w\x27=1&2 <\u{fc}\u{1f511}`,
      String.raw`p/w\'=1\&2\ \<ü🔑`,
    ];
    const again = [
      JSON.stringify,
      encodeURIComponent,
      (text: string) => text.replaceAll("&", "&amp;"),
    ];
    for (const form of [...forms, ...forms.flatMap((one) => again.map((encode) => encode(one)))])
      expect(redact(`a%20b=${form}\\n`, [secret]), form).to.match(/^a%20b="?\[secret\]"?\\n$/);
  });

  it("replaces two that overlap as a whole", () =>
    expect(redact("abcdefgh", ["abcdef", "cdefgh"])).to.equal("[secret]"));

  it("leaves alone what only the decoded text has too little of", () =>
    expect(redact(String.raw`\\\\ is no word, a\b\c`, [String.raw`\\\\`])).to.equal(
      String.raw`[secret] is no word, a\b\c`,
    ));

  it("knows them as a form has them, and as Basic sends the form of one", () => {
    const secret = "CANARY two+words~(a-b_c)!";
    // URLSearchParams; with `quote_plus` of Python; as RFC 6749 §2.3.1 has it in libraries for Node.
    const forms = [
      "CANARY+two%2Bwords%7E%28a-b_c%29%21",
      "CANARY+two%2Bwords~(a-b_c)!",
      "CANARY+two%2Bwords%7E%28a%2Db%5Fc%29%21",
    ];
    for (const form of forms) {
      const redacted = "client_secret=[secret]&code=c";
      expect(redact(`client_secret=${form}&code=c`, [secret])).to.equal(redacted);
      const [head = "", tail = ""] = redact(btoa(`client:${form}`), [secret]).split("[secret]");
      expect(Buffer.from(`${head}${tail}`, "base64").toString()).not.to.contain("CANARY");
      expect(`${head}${tail}`.length).to.be.at.most(16);
    }
  });

  it("knows one in base64, by itself and in a longer text, in both alphabets", () => {
    const secret = "key-ÿ?>~CANARY-1";
    const encode = (text: string) => Buffer.from(text).toString("base64");
    expect(redact(encode(secret), [secret])).to.equal("[secret]");
    expect(redact(Buffer.from(secret).toString("base64url"), [secret])).to.equal("[secret]");
    for (const before of ["", "u", "us", "use", "user:"])
      for (const after of ["", "!", ":word"]) {
        const encoded = encode(`${before}${secret}${after}`);
        for (const text of [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_")]) {
          const [head = "", tail = ""] = redact(text, [secret]).split("[secret]");
          expect(text.length - head.length - tail.length, text).to.be.at.least(20);
          expect(Buffer.from(`${head}${tail}`, "base64").toString()).not.to.contain("CANARY");
        }
      }
  });

  it("knows the password within a key for Basic, and what is none", () => {
    const key = `Basic ${btoa("ada:pass:word")}`;
    expect(redact("ada has no pass:word", [key])).to.equal("ada has no [secret]");
    expect(redact("not-base64", ["Basic not-base64"])).to.equal("[secret]");
  });

  it("knows one that was read from a file, which ends in a newline, without it", () => {
    const text = `pass12 ${btoa("user:longsecret99")}`;
    expect(redact(text, ["pass12\n", "longsecret99\n"])).to.match(
      /^\[secret\] \w+\[secret\]\w?=*$/,
    );
  });

  it("leaves the base64 of a short value alone: it may be a word", () =>
    expect(redact(`aXM= ${btoa("is")}`, ["isit"])).to.equal("aXM= aXM="));

  it("removes the longer of two that begin alike as a whole", () =>
    expect(redact("token-long token", ["token", "token-long"])).to.equal("[secret] [secret]"));

  it("removes a key of several lines line by line, as logs quote it", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\r\nkqhkiG9w0BAQEF\n-----END KEY-----";
    expect(redact("| 12345678", ["12345678\nsecond line"])).to.equal("| [secret]");
    expect(redact("| MIIEvQIBADANBg\n| kqhkiG9w0BAQEF", [key])).to.equal("| [secret]\n| [secret]");
  });

  it("reads a value of a million blanks once", () =>
    expect(redact("the key", [`${" ".repeat(1_000_000)}key`])).to.equal("the key"));

  it("reads once what is encoded a hundred thousand times", () => {
    for (const [first, again] of [
      ["%", "25"],
      ["&", "amp;"],
      ["&", "#38;"],
    ] as const)
      expect(redact(`${first}${again.repeat(100_000)} key-1`, ["key-1"])).to.match(/ \[secret\]$/);
  });

  it("leaves short ordinary words alone", () =>
    expect(redact("it is on", ["on"])).to.equal("it is on"));

  it("takes another shortest length and another placeholder", () => {
    const options = { minLength: 8, placeholder: "***" };
    expect(redact("the key-1", ["key-1"], { placeholder: "$&" })).to.equal("the $&");
    expect(redact("1234567 12345678", ["1234567", "12345678"], options)).to.equal("1234567 ***");
  });

  it("knows one that can't be written as Unicode", () =>
    expect(redact("the\ud800key and the%EF%BF%BDkey", ["the\ud800key"])).to.equal(
      "[secret] and [secret]",
    ));
});
