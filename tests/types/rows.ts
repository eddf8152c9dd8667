import * as dynamic from "pulumi-agentserver";
import * as native from "pulumi-agentserver/native";
import type { FunctionName } from "../../provider/functions";
import type { ResourceTypeName, LifecycleName } from "../../provider/resource-types";
import * as lifecycle from "../../provider/lifecycle";

// Each row has its classes and its export for states, and both forms of its function: the compiler names what is missing.

type Names = ResourceTypeName | FunctionName | `${FunctionName}Output`;

export const DYNAMIC: Readonly<Record<Names, object>> = dynamic;
export const NATIVE: Readonly<Record<Names, object>> = native;
export const SERVED: Readonly<Record<LifecycleName, object>> = lifecycle;
