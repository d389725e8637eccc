import type { Description, Operation } from "./description.ts";

/** Operations whose answers are kept as long as each other. */
export interface CacheRow {
  cacheControl: string;
  meaning: string;
  operations: readonly Operation[];
}

/** The operations by the Cache-Control of their documents, in the order of the description. */
export function toCacheRows({ tags }: Description): CacheRow[] {
  const rows = new Map<string, CacheRow & { operations: Operation[] }>();
  for (const operation of tags.flatMap(({ operations }) => operations)) {
    const header = operation.answers
      .find(({ status }) => status === 200)
      ?.headers.find(({ name }) => name === "Cache-Control");
    if (header === undefined) continue;
    const cacheControl = header.example ?? "";
    const row = rows.get(cacheControl) ?? { cacheControl, meaning: header.description, operations: [] };
    row.operations.push(operation);
    rows.set(cacheControl, row);
  }
  return [...rows.values()];
}
