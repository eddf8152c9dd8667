import { type Output, type ProviderResource, runtime } from "@pulumi/pulumi";

/** Whether the program runs under `pulumi.runtime.setMocks`. The monitor then holds the mocks. */
export function hasMocks(): boolean {
  const monitor: unknown = runtime.getMonitor();
  return typeof monitor === "object" && monitor !== null && "mocks" in monitor;
}

/** Both forms of a function that the engine calls, or under mocks the mock `call`: with its token, for its result. */
export function mockedForms<Result>(name: string, isList: boolean) {
  const token = `agentserver:index:${name}`;
  const received = (result: Result): Result => (isList ? listIn(result) : result);
  return {
    direct: async (args: object, provider?: ProviderResource): Promise<Result> =>
      received(await runtime.invoke(token, { ...args }, provider && { provider })),
    output: (args: object, provider?: ProviderResource): Output<Result> =>
      runtime
        .invokeOutput<Result>(token, { ...args }, provider && { provider })
        .apply(async (result) => received(Object(result))),
  };
}

/** Pulumi hands over a mock's array as an object by index. Pulumi's own packages have it in the only member of an object. */
function listIn<Result>(result: Result): Result {
  const members = Object.values(Object(result));
  const [first] = members;
  return Object(Array.isArray(first) ? first : members);
}
