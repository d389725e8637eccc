import { z } from "zod";
import { EXPORT_TABLES, type ExportTable } from "./export-tables.ts";
import { countSchema, MONTH_PATTERN } from "./values.ts";

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
      .enum(Object.keys(EXPORT_TABLES) as ExportTable[])
      .meta({ description: "The table, whose operation describes its rows." }),
    format: z.enum(["csv", "parquet"]).meta({ description: "The format of the file." }),
    epoch: countSchema
      .nullable()
      .meta({ description: "Epoch of a history file; null: of any other table." }),
    month: z
      .string()
      .regex(MONTH_PATTERN)
      .nullable()
      .meta({ description: "Month of an uptime file, YYYY-MM; null: of any other table." }),
    rows: countSchema.meta({ description: "Rows without the header." }),
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

/** Size in bytes and SHA-256 of a published object; of an export, also its rows. */
export type Digest = Pick<ExportFile, "bytes" | "sha256"> & { rows?: number | undefined };

/** Finds the digest of an object by its key; null: it is not published. */
export type FindDigest = (key: string) => Digest | null;
