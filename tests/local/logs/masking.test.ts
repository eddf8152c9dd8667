import { expect } from "chai";
import { mask } from "../../../local/logs/masking";

describe("local/logs/masking", () => {
  const values = (...all: string[]) => all.map((value) => ({ value }));

  it("masks every occurrence of a value of eight characters or more", () => {
    expect(mask("a 12345678 b 12345678", values("12345678"))).to.equal("a *** b ***");
  });

  it("leaves shorter values", () => {
    expect(mask("LEVEL=1234567", values("1234567", ""))).to.equal("LEVEL=1234567");
  });

  it("masks the longer of two values that overlap", () => {
    expect(mask("password-and-more", values("password", "password-and-more"))).to.equal("***");
  });

  it("masks each line of a value of several lines", () => {
    for (const end of ["\n", "\r\n"]) {
      const key = ["-----BEGIN-----", "MIIEvQIBADANBg", "-----END KEY-----"].join(end);
      expect(mask("read MIIEvQIBADANBg", values(key))).to.equal("read ***");
      expect(mask(`all: ${key}`, values(key))).to.equal("all: ***");
    }
  });
});
