import { z } from "zod";
import { normalizeBaseUrl } from "../../sdk/base-url";
import { messageOf } from "../../shared/errors";

/** The address of an agent server. A problem of it never repeats the text, which may hold a password. */
export const DeploymentUrl = z
  .string()
  .min(1, { abort: true })
  .superRefine((url, context) => {
    try {
      normalizeBaseUrl(url, { allowInsecureHttp: true });
    } catch (error) {
      context.addIssue({ code: "custom", message: messageOf(error) });
    }
  });
