import * as dynamic from "pulumi-agentserver";
import * as native from "pulumi-agentserver/native";
import type { FunctionName } from "../../provider/functions";
import type { KindName } from "../../provider/kinds";

// Each row has its classes, and both forms of its function: the compiler names what is missing.

type Names = KindName | FunctionName | `${FunctionName}Output`;

export const DYNAMIC: Readonly<Record<Names, object>> = dynamic;
export const NATIVE: Readonly<Record<Names, object>> = native;
