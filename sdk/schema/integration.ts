import { z } from "zod";

/** A git host that the workspace may clone from; the answer's shape is the public service's (a bare array). */
export const Integration = z.object({ id: z.guid(), installation_id: z.int(), name: z.string() });
export type Integration = z.infer<typeof Integration>;

export const IntegrationsList = z.array(Integration);
