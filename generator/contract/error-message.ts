import { z } from "zod";

/** One short line for zod's errors. */
export function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `it has the wrong shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  }
  return error instanceof Error ? error.message : String(error);
}
