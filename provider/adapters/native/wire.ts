import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord, mapMembers } from "../../../shared/records";
import { type Props, UNKNOWN } from "../../arguments/props";
import { withoutSecretForm } from "../../arguments/secrets";

/** Values that providers and languages may send for an unknown value of a type, beside `UNKNOWN` (pulumi/pulumi, sdk/go/common/resource/plugin/rpc.go). */
const TYPED_UNKNOWNS: ReadonlySet<unknown> = new Set([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

/** The properties of a message, secrets in clear. */
export function propsOf(struct: Struct | undefined): Props {
  const props: unknown = withoutSecretForm(withOneUnknown(struct?.toJavaScript() ?? {}));
  return isRecord(props) ? props : {};
}

function withOneUnknown(value: unknown): unknown {
  if (TYPED_UNKNOWNS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(withOneUnknown);
  if (!isRecord(value)) return value;
  return mapMembers(value, withOneUnknown);
}

/** Properties as a message has them, without undefined members. */
export function structOf(props: Props): Struct {
  return Struct.fromJavaScript(membersOf(props));
}

function membersOf(props: Props): Record<string, JavaScriptValue> {
  return Object.fromEntries(
    Object.entries(props)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, valueOf(member)]),
  );
}

function valueOf(value: unknown): JavaScriptValue {
  if (Array.isArray(value)) return value.map(valueOf);
  if (isRecord(value)) return membersOf(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return null;
}
