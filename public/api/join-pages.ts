import type { DocumentOf } from "../../generator/contract/objects.ts";
import type { Validator } from "../../generator/contract/validator.ts";

type Page = DocumentOf<"validators">;

/** All pages of the list as one. */
export interface JoinedPages {
  data: Validator[];
  meta: {
    /** Validators that the list has, of which `data` may hold fewer. */
    total: number;
    snapshotAt: string | null;
    /** The pages are of more than one snapshot: at their seams a validator may be missing. */
    isMixed: boolean;
  };
}

/**
 * Puts pages together, by rank. Between two snapshots a validator may move from one page to another: one that is on two of
 * them is there once, as the newer page has it.
 *
 * @param pages at least one
 */
export function joinPages(pages: readonly Page[]): JoinedPages {
  const oldestFirst = pages.toSorted((one, other) => toTime(one) - toTime(other));
  const validators = new Map(oldestFirst.flatMap(({ data }) => data.map((row) => [row.votePubkey, row] as const)));
  const newest = oldestFirst.at(-1);
  return {
    data: [...validators.values()].sort((one, other) => one.rank - other.rank),
    meta: {
      total: newest?.meta.total ?? 0,
      snapshotAt: newest?.meta.snapshotAt ?? null,
      isMixed: new Set(pages.map(({ meta }) => meta.snapshotAt)).size > 1,
    },
  };
}

function toTime({ meta: { snapshotAt } }: Page): number {
  return snapshotAt === null ? 0 : Date.parse(snapshotAt);
}
