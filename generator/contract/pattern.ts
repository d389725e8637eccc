import { z } from "zod";
import { commissionSchema, countSchema } from "./values.ts";

/** A habit that many events make together, so that a reader is told it once. */
export const patternSchema = z
  .object({
    kind: z
      .enum(["serial_flip"])
      .meta({
        description:
          "serial_flip: the commission rose by 10 percentage points or more, was taken back, and rose again, in at least 3 of " +
          "10 epochs; it ends when 10 epochs pass without such a rise.",
      }),
    source: z.enum(["COMMISSION", "MEV"]).meta({ description: "Which commission it is a pattern of." }),
    from: commissionSchema.meta({
      description: "Lowest commission before the newest of these rises, or since it was taken back, percent.",
    }),
    to: commissionSchema.meta({ description: "Highest commission since that rise, percent." }),
    epochs: countSchema.meta({ description: "Epochs with such a rise." }),
    ofEpochs: countSchema.meta({ description: "Epochs from firstEpoch to lastEpoch." }),
    firstEpoch: countSchema.meta({ description: "Epoch of the first of these rises." }),
    lastEpoch: countSchema.meta({ description: "Epoch of the newest of these rises." }),
    changes: countSchema.meta({
      description: "Changes of this commission since the first of these rises, rises and falls.",
    }),
  })
  .meta({ id: "Pattern", description: "A habit that many events make together." });

export type Pattern = z.infer<typeof patternSchema>;
