import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const WORKFLOWS = new URL("../../../.github/workflows/", import.meta.url);

const stepSchema = z.looseObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});

/** A job of its own steps, or one that calls another workflow by `uses`. */
const jobSchema = z.looseObject({
  uses: z.string().optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  "timeout-minutes": z.number().optional(),
  steps: z.array(stepSchema).default([]),
});

const workflowSchema = z.looseObject({
  name: z.string(),
  on: z.looseObject({}),
  permissions: z.unknown(),
  concurrency: z.object({ group: z.string(), "cancel-in-progress": z.union([z.boolean(), z.string()]) }),
  jobs: z.record(z.string(), jobSchema),
});

export type Step = z.infer<typeof stepSchema>;
export type Job = z.infer<typeof jobSchema>;

export interface Workflow extends z.infer<typeof workflowSchema> {
  file: string;
  /** As it is written, with its comments. */
  text: string;
}

/** Every workflow of the repository. */
export const workflows: Workflow[] = readdirSync(WORKFLOWS).map((file) => {
  const text = readFileSync(new URL(file, WORKFLOWS), "utf8");
  return { file, text, ...workflowSchema.parse(parse(text)) };
});

/** @throws {Error} where there is none */
export function findWorkflow(file: string): Workflow {
  const found = workflows.find((workflow) => workflow.file === file);
  if (found === undefined) throw new Error(`there is no .github/workflows/${file}`);
  return found;
}

/** All jobs, each under `FILE JOB`. */
export function jobsOf(list: readonly Workflow[]): (readonly [where: string, job: Job])[] {
  return list.flatMap(({ file, jobs }) => Object.entries(jobs).map(([id, job]) => [`${file} ${id}`, job] as const));
}

/** The step of that id. @throws {Error} where there is none */
export function findStep(job: Job | undefined, id: string): Step {
  const found = job?.steps.find((step) => step.id === id);
  if (found === undefined) throw new Error(`there is no step ${id}`);
  return found;
}
