import { z } from "zod";

const count = z.number().int().nonnegative();

/** What `generate COMMAND --json` ends with; fields that are not shown are left out. */
const reportSchema = z.object({
  command: z.string(),
  network: z.string(),
  accepted: z.boolean().nullable(),
  rejected: z.array(z.object({ reason: z.string() })),
  quarantined: z.array(z.object({ object: z.string(), reason: z.string() })),
  skipped: z.string().nullable(),
  observations: count,
  pending: count,
  events: count,
  documents: z.object({ rendered: count, written: count }),
  puts: count,
  lists: count,
  bytes: count,
  upkeep: z.array(z.string()),
  durationMs: z.number().nonnegative(),
  /** Of `rebuild`: with what is published. */
  differences: count.optional(),
});

/** What `generate doctor --json` writes. */
const diagnosisSchema = z.object({
  command: z.literal("doctor"),
  network: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      findings: z.array(
        z.object({ level: z.string(), subject: z.string(), found: z.string(), advice: z.string().nullable() }),
      ),
    }),
  ),
});

const outputSchema = z.union([diagnosisSchema, reportSchema]);

export type Report = z.infer<typeof reportSchema>;
export type Diagnosis = z.infer<typeof diagnosisSchema>;

/** What an output ends with; null: the command was stopped before it wrote a report, or what it wrote is none. */
export function parseOutput(output: string): Report | Diagnosis | null {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    return outputSchema.safeParse(JSON.parse(last)).data ?? null;
  } catch {
    // Not even JSON: half a line of a process that was killed.
    return null;
  }
}
