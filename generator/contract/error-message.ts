import { z } from "zod";

export function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `it has the wrong shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
  }
  return error instanceof Error ? error.message : String(error);
}
