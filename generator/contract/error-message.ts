import { z } from "zod";

/** What an error says, in one short line where it can: a message of zod would list every part that is wrong. */
export function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `it has the wrong shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  }
  return error instanceof Error ? error.message : String(error);
}
