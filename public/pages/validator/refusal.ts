import type { Problem } from "../../api/envelope.ts";

/** Why there is no page of a validator: no such vote account was ever seen, or the key is none. */
export type Refusal = "unknown" | "malformed";

/** What a problem of the profile says of the key; null: nothing, it is another problem. */
export function toRefusal(problem: Problem): Refusal | null {
  if (problem.kind !== "refused") return null;
  if (problem.code === "invalid_pubkey") return "malformed";
  return problem.code === "validator_not_found" ? "unknown" : null;
}
