import { withoutTrailingSlashes } from "../../sdk/base-url";

/** A thing on an agent server, by the address of its endpoint there. */
export interface Place {
  /** The URL of the agent server. */
  readonly deploymentUrl: string;
  readonly id: string;
}

/**
 * The id that `pulumi import` takes: an id of an agent server alone does not say which one, so it is the URL of the thing
 * itself, `https://support.example.com/assistants/5f0c1f9e-…`. Undefined for anything else.
 */
export function parseImportId(text: string, endpoint: string): Place | undefined {
  const [, deploymentUrl, id] =
    new RegExp(`^(https?://[^?#]+)/${endpoint}/([^/?#]+)/?$`).exec(text) ?? [];
  return deploymentUrl && id ? { deploymentUrl, id } : undefined;
}

/** The form that `parseImportId` reads. */
export function importIdOf({ deploymentUrl, id }: Place, endpoint: string): string {
  return `${withoutTrailingSlashes(deploymentUrl)}/${endpoint}/${id}`;
}

/** The error of a read whose id does not say where. */
export function addressNeeded(noun: string, endpoint: string, id: string, instead: string): Error {
  const example = importIdOf({ deploymentUrl: "https://<deployment's url>", id }, endpoint);
  return new Error(
    `get ${noun} '${id}': the id alone does not say on which agent server the ${noun} is; ` +
      `import it by its URL, ${example}; ${instead}`,
  );
}
