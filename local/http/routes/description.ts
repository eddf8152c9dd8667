/** What names an operation of `/openapi.json` (OpenAPI 3.1, "Operation Object"). */
interface Description<Id extends string> {
  readonly operationId: Id;
  readonly tags: string[];
  readonly summary: string;
}

/** Names the operations of one tag. */
export function operationsOf(tag: string) {
  return <const Id extends string>(operationId: Id, summary: string): Description<Id> => ({
    operationId,
    tags: [tag],
    summary,
  });
}

/** The ids that an operation's response has, by the parameters of others, as runtime expressions. */
type Ids = Readonly<Record<string, `$response.body#/${string}`>>;

/** Links from a response to operations that take its ids (OpenAPI 3.1, "Link Object"). */
export function linksTo(operationIds: readonly string[], parameters: Ids) {
  const links = operationIds.map((operationId) => [operationId, { operationId, parameters }]);
  return { links: Object.fromEntries(links) };
}
