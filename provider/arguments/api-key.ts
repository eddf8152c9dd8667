import { z } from "zod";
import { headerValueProblem } from "../../sdk/header-value";

/** The key of an agent server. A problem of it never repeats the key. */
export const ApiKey = z.string().superRefine((key, context) => {
  const message = headerValueProblem(key);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});
