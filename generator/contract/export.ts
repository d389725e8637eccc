import { z } from "zod";
import { countSchema } from "./values.ts";

/** Type of a column. `time` is in UTC: milliseconds in Parquet, ISO 8601 in CSV. */
export type CellType = "text" | "int64" | "uint64" | "double" | "boolean" | "time";

/** A column of an export. In CSV an empty field is null. */
export interface ExportColumn {
  type: CellType;
  isNullable: boolean;
}

/**
 * The exports and their columns, in order. Commissions are in percent, stake in lamports. Add
 * columns at the end only.
 */
export const EXPORT_TABLES = {
  events: {
    id: known("text"),
    votePubkey: known("text"),
    severity: known("text"),
    source: known("text"),
    fromCommission: orNull("double"),
    toCommission: orNull("double"),
    fromDisabled: known("boolean"),
    toDisabled: known("boolean"),
    delta: orNull("double"),
    epoch: known("int64"),
    createdAt: orNull("time"),
    slot: known("int64"),
    previousSlot: orNull("int64"),
    previousSeenAt: orNull("time"),
    effectiveEpoch: orNull("int64"),
    confirmed: known("boolean"),
    effectiveEpochLatest: orNull("int64"),
    effectiveEpochFinal: known("boolean"),
    confirmedBy: orNull("text"),
    supersededBy: orNull("text"),
    transactionSignature: orNull("text"),
    transactionSlot: orNull("int64"),
    transactionBlockTime: orNull("time"),
    signer: orNull("text"),
    verified: orNull("text"),
    replacedBy: orNull("text"),
  },
  history: {
    epoch: known("int64"),
    votePubkey: known("text"),
    activeStakeLamports: orNull("uint64"),
    rank: orNull("int64"),
    commission: orNull("double"),
    mevCommission: orNull("double"),
    appliedCommission: orNull("double"),
    paid: orNull("boolean"),
    blockRevenueCommission: orNull("double"),
  },
} as const satisfies Record<string, Record<string, ExportColumn>>;

/** Key of an export in {@link EXPORT_TABLES}. */
export type ExportTable = keyof typeof EXPORT_TABLES;

/** Name of a column of an export. */
export type ColumnOf<Table extends ExportTable> = keyof (typeof EXPORT_TABLES)[Table] & string;

/**
 * Makes the schema of a CSV export. It checks that the file is whole: from its header to a line
 * end.
 */
export function csvSchemaOf(table: ExportTable) {
  const header = Object.keys(EXPORT_TABLES[table]).join(",");
  return z
    .string()
    .regex(new RegExp(`^${header}\\r\\n`))
    .regex(/\r\n$/)
    .meta({
      description: `CSV by RFC 4180 with the header \`${header}\`; an empty field is null.`,
    });
}

/**
 * A Parquet export, decoded to one character for each byte. The schema checks only that it is
 * whole.
 */
export const parquetSchema = z
  .string()
  .regex(/^PAR1[^]*PAR1$/)
  .meta({ description: "An Apache Parquet file with the columns of the CSV export." });

/** An item of `/exports`. */
export const exportFileSchema = z
  .object({
    path: z.string().meta({ description: "Path from the root of this host." }),
    table: z
      .enum(["events", "history"])
      .meta({
        description:
          "events: every event of all closed epochs. history: stake and commissions of one " +
          "closed epoch.",
      }),
    format: z.enum(["csv", "parquet"]).meta({ description: "The format of the file." }),
    epoch: countSchema
      .nullable()
      .meta({
        description: "Epoch of a history file; null for events, which cover all closed epochs.",
      }),
    rows: countSchema.meta({
      description: "Rows without the header; ahead of the file while it is being replaced.",
    }),
    bytes: countSchema.meta({ description: "Size of the uncompressed file, bytes." }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description:
          "SHA-256 of the uncompressed file, hexadecimal. If your download differs, the file " +
          "was replaced: read this list again.",
      }),
  })
  .meta({ id: "ExportFile", description: "One file to download." });

/** A file to download, as `/exports` lists it. */
export type ExportFile = z.infer<typeof exportFileSchema>;

/** Size in bytes and SHA-256 of a published object. */
export type Digest = Pick<ExportFile, "bytes" | "sha256">;

/** Finds the digest of an object by its key; null: it is not published. */
export type FindDigest = (key: string) => Digest | null;

function known<Type extends CellType>(type: Type) {
  return { type, isNullable: false } as const;
}

function orNull<Type extends CellType>(type: Type) {
  return { type, isNullable: true } as const;
}
