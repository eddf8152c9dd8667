import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { z } from "zod";
import { recordOf } from "../../shared/records";

const Operation = z.object({
  responses: z.record(z.string(), z.object({ content: z.unknown().optional() })),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

const FORMATS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  uri: (text: string) => URL.canParse(text),
};

/** The responses that `/openapi.json` describes, to compare with the real ones. */
export class ServedDocument {
  readonly #ajv = new Ajv2020({ strict: false, formats: FORMATS });
  readonly #document: z.infer<typeof Document>;

  constructor(document: unknown) {
    this.#document = Document.parse(document);
    this.#ajv.addSchema(recordOf(sealed(document)), "document");
  }

  /** Problems of a response to a request of this method and path, as the path is written in the document. */
  problemsOf(method: string, path: string, answer: { status: number; body: unknown }): string[] {
    const verb = method.toLowerCase();
    const response = this.#document.paths[path]?.[verb]?.responses[answer.status];
    if (!response) return [`${method} ${path} may not answer ${answer.status}`];
    if (response.content === undefined)
      return answer.body === undefined ? [] : [`${answer.status} has no body`];
    const place = ["paths", path, verb, "responses", answer.status, "content", "application/json"];
    const fits = this.#validator([...place, "schema"]);
    if (fits(answer.body)) return [];
    return (fits.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ""}`);
  }

  #validator(place: readonly (string | number)[]): ValidateFunction {
    const parts = place.map((part) =>
      encodeURIComponent(`${part}`.replaceAll("~", "~0").replaceAll("/", "~1")),
    );
    const name = `document#/${parts.join("/")}`;
    const known = this.#ajv.getSchema(name);
    if (!known) throw new Error(`the document has no ${name}`);
    return known;
  }
}

/** A client bears with members that it does not know; what is served is described to the last one all the same. */
function sealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sealed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sealed(member)]);
  const isObject = "properties" in value && !("additionalProperties" in value);
  return { ...Object.fromEntries(entries), ...(isObject && { additionalProperties: false }) };
}
