import { z } from "zod";
import { networkSchema } from "./networks.ts";

/** The success envelope: `meta` is always an object that names the network. */
export function envelopeOf<Data extends z.ZodType, Meta extends z.ZodRawShape>(data: Data, meta: Meta) {
  return z.object({
    data: data.description === undefined ? data.meta({ description: "What was asked for." }) : data,
    meta: z
      .object({ network: networkSchema, ...meta })
      .meta({ description: "What the answer is about, and sums over it. Fields may be added." }),
  });
}
