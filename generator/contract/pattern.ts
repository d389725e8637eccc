import { z } from "zod";
import { commissionSchema, countSchema } from "./values.ts";

/** The `pattern` of events, list items and profiles. */
export const patternSchema = z
  .object({
    kind: z
      .enum(["serial_flip"])
      .meta({
        description:
          "serial_flip: the validator raised the commission by 10 percentage points or more, " +
          "took it back and raised it again, in at least 3 of 10 epochs. The pattern ends " +
          "after 10 epochs without such a rise.",
      }),
    source: z.enum(["COMMISSION", "MEV"]).meta({ description: "The commission that flips." }),
    from: commissionSchema.meta({
      description:
        "Low rate of the pattern, percent: the lowest just before the newest of these rises, " +
        "or since it was taken back.",
    }),
    to: commissionSchema.meta({
      description: "High rate of the pattern, percent: the highest since that rise.",
    }),
    epochs: countSchema.meta({ description: "Epochs with such a rise." }),
    ofEpochs: countSchema.meta({ description: "Epochs from firstEpoch to lastEpoch." }),
    firstEpoch: countSchema.meta({ description: "Epoch of the first of these rises." }),
    lastEpoch: countSchema.meta({ description: "Epoch of the newest of these rises." }),
    changes: countSchema.meta({
      description: "Changes of this commission since the first of these rises, rises and falls.",
    }),
  })
  .meta({ id: "Pattern", description: "A habit that many events form together." });

/** A habit that several events of one validator form. */
export type Pattern = z.infer<typeof patternSchema>;
