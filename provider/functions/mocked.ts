import { type Output, type ProviderResource, runtime } from "@pulumi/pulumi";

/** Whether the program runs under `pulumi.runtime.setMocks`: then the monitor holds the mocks, and nothing is asked. */
export function hasMocks(): boolean {
  const monitor: unknown = runtime.getMonitor();
  return typeof monitor === "object" && monitor !== null && "mocks" in monitor;
}

/** Both forms of a look-up as the mock `call` answers them, under the token `agentserver:index:<name>`. */
export function mockedForms<Answer>(name: string) {
  const token = `agentserver:index:${name}`;
  const isList = name === "getThreadHistory" || !name.startsWith("get");
  const answerIn = (result: Answer) => (isList ? listIn(result) : result);
  return {
    plain: async (args: object, provider?: ProviderResource): Promise<Answer> =>
      answerIn(await runtime.invoke(token, { ...args }, provider && { provider })),
    later: (args: object, provider?: ProviderResource): Output<Answer> =>
      runtime
        .invokeOutput<Answer>(token, { ...args }, provider && { provider })
        .apply(async (result) => answerIn(Object(result))),
  };
}

/** On its way a mock's list becomes an object by index; one in a single member, as in Pulumi's own packages, is as good. */
function listIn<Answer>(result: Answer): Answer {
  const members = Object.values(Object(result));
  const [first] = members;
  return members.length === 1 && Array.isArray(first) ? Object(first) : Object(members);
}
