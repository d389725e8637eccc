import { z } from "zod";

/**
 * Returns the message of anything thrown. Of a zod error it names only the first issue, which fits
 * in one line.
 */
export function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `it has the wrong shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  }
  return error instanceof Error ? error.message : String(error);
}
