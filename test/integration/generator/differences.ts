import { rebuild } from "../../../generator/service/rebuild.ts";
import type { Stage } from "../../service/harness.ts";

/** What `rebuild --verify` names: each difference between what is published and what the journal makes. */
export async function findDifferences(stage: Stage): Promise<string[]> {
  const named: string[] = [];
  await rebuild({
    ...stage.command,
    verify: true,
    prune: false,
    onDifference: ({ key, what }) => void named.push(`${what}: ${key}`),
    onProgress: () => undefined,
  });
  return named;
}
