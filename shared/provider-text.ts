/**
 * The text that Pulumi's dynamic-provider process runs to find a lifecycle by its export. It stands in every user's state, and
 * old states are refreshed and destroyed through it: it never changes, nor do the subpath and the export names in it.
 * It resolves from the program's folder, so that it works in an installed package, in a link and in this repository.
 */
export function providerText(lifecycle: string): string {
  return `exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").${lifecycle};`;
}
