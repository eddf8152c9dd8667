import { expect } from "chai";
import {
  BadRequest,
  ConnectionError,
  Forbidden,
  RateLimited,
  type RequestError,
  ServerError,
  TimeoutError,
  Unauthorized,
} from "pulumi-agentserver/sdk";
import { agentServerAdvice } from "../../../provider/resource/advice";
import { formatError } from "../../../provider/resource/errors";

const failure = {
  action: "get thread",
  subject: "t",
  method: "GET",
  url: "https://support.example.com/threads/t",
  reason: "it failed",
  secrets: [],
  status: 400,
  detail: "",
};
const advice = (error: RequestError) => formatError(error, agentServerAdvice());
const FAILED = "get thread 't': it failed";

describe("advice after an agent server's error", () => {
  it("names the address of one that is not reached", () =>
    expect(advice(new ConnectionError(failure))).to.equal(
      `${FAILED}; check that the agent server is running and deploymentUrl is right, then run the same command again`,
    ));

  it("asks for patience with one that is slow, busy or failing", () => {
    expect(advice(new TimeoutError(failure))).to.equal(
      `${FAILED}; the agent server is slow or unreachable; try again later, or increase the setting requestTimeoutSeconds`,
    );
    for (const error of [new ServerError(failure), new RateLimited(failure)])
      expect(advice(error)).to.equal(`${FAILED}; try again later`);
  });

  it("names the key of one that refuses, and has nothing to add to its other words", () => {
    for (const error of [new Unauthorized(failure), new Forbidden(failure)])
      expect(advice(error)).to.contain("; check apiKey, which is the agent server's own key");
    expect(advice(new BadRequest(failure))).to.equal(FAILED);
    expect(advice(new ServerError({ ...failure, status: 501 }))).to.equal(FAILED);
  });
});
