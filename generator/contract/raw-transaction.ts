import { z } from "zod";
import { verifiedBySchema } from "./event.ts";
import { commissionSchema, countSchema, pubkeySchema } from "./values.ts";

/** Most transactions of a validator that are published as bytes: the newest. */
export const RAW_TRANSACTIONS_MAX = 100;

/** A transaction that set a validator's inflation commission, as its signers signed it. */
export const rawTransactionSchema = z
  .object({
    signature: z.string().meta({ description: "Signature of the transaction, Base58." }),
    slot: countSchema.meta({ description: "Slot that executed the transaction." }),
    signer: pubkeySchema.meta({
      description: "Withdraw authority that signed the transaction, Base58.",
    }),
    commissions: z
      .array(commissionSchema)
      .meta({ description: "Inflation commissions that it set, percent, in order." }),
    verifiedBy: verifiedBySchema,
    bytes: z
      .base64()
      .meta({
        description:
          "The whole transaction, as the cluster executed it: signatures and signed message, " +
          "in Base64. Each signature is ed25519 over the message.",
      }),
  })
  .meta({
    id: "RawTransaction",
    description: "A transaction that set a validator's inflation commission, as bytes.",
  });
