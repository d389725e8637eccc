import { readdirSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { read, ROOT } from "../_files.ts";

const WORKFLOWS = ".github/workflows/";

const texts = z.record(z.string(), z.string());
const stepSchema = z.looseObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().default(""),
  run: z.string().default(""),
  with: z.record(z.string(), z.unknown()).default({}),
  env: texts.default({}),
});
const jobSchema = z.looseObject({
  uses: z.string().optional(),
  if: z.string().optional(),
  env: texts.default({}),
  permissions: texts.optional(),
  "timeout-minutes": z.number().optional(),
  strategy: z.looseObject({}).optional(),
  steps: z.array(stepSchema).default([]),
});
const workflowSchema = z.looseObject({
  on: z.looseObject({}),
  permissions: z.unknown(),
  concurrency: z.object({
    group: z.string(),
    "cancel-in-progress": z.union([z.boolean(), z.string()]),
  }),
  jobs: z.record(z.string(), jobSchema),
});

type Job = z.infer<typeof jobSchema>;

export const workflows = readdirSync(new URL(WORKFLOWS, ROOT)).map((file) => {
  const text = read(WORKFLOWS + file);
  return { file, text, ...workflowSchema.parse(parse(text)) };
});

export function findWorkflow(file: string) {
  const found = workflows.find((workflow) => workflow.file === file);
  if (found === undefined) throw new Error(`there is no .github/workflows/${file}`);
  return found;
}

export function findStep(job: Job | undefined, id: string): Job["steps"][number] {
  const found = job?.steps.find((step) => step.id === id);
  if (found === undefined) throw new Error(`there is no step ${id}`);
  return found;
}
