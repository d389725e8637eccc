import type { Network } from "../../generator/contract/networks.ts";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import type { Validator } from "../../generator/contract/validator.ts";
import { type Answer, type Held, read, recall, type Request } from "./client.ts";
import { documents } from "./documents.ts";
import type { Loader } from "./use-document.ts";

type HeldPage = Held<DocumentOf<"validators">>;

const LIMIT = 100;
/** Half of a client's requests a minute; no cluster has so many validators. */
const PAGES_MAX = 30;

/** The API sorts by stake only. */
export function allValidators(network: Network): Loader<JoinedPages> {
  return {
    key: `all validators of ${network}`,
    read: (how) => readAll(network, how),
    recall: () => recallAll(network),
  };
}

/** Pages may come from two lists: read again, past the browser's cache. */
function readAll(network: Network, how: { isFresh: boolean }): Request<JoinedPages> {
  const left: (() => void)[] = [];
  let isLeft = false;
  const readPage = (page: number, isFresh: boolean) => {
    const request = read(toAddress(network, page), { isFresh });
    left.push(request.leave);
    return request.answer;
  };
  const readPages = async (isFresh: boolean): Promise<Answer<JoinedPages>> => {
    const first = await readPage(1, isFresh);
    if ("problem" in first) return first;
    if (isLeft) return { problem: { kind: "unreachable" } };
    const rest = await Promise.all(toOthers(first.held).map((page) => readPage(page, isFresh)));
    const failed = rest.find((answer) => "problem" in answer);
    if (failed !== undefined) return failed;
    const held = join([
      first.held,
      ...rest.flatMap((answer) => ("held" in answer ? [answer.held] : [])),
    ]);
    return held.document.meta.isMixed && !isFresh ? readPages(true) : { held };
  };
  const leave = () => {
    isLeft = true;
    for (const leavePage of left) leavePage();
  };
  return { answer: readPages(how.isFresh), leave };
}

function recallAll(network: Network): Held<JoinedPages> | null {
  const first = recall(toAddress(network, 1));
  if (first === null) return null;
  const pages = [first];
  for (const page of toOthers(first)) {
    const other = recall(toAddress(network, page));
    if (other === null) return null;
    pages.push(other);
  }
  return join(pages);
}

function toOthers({ document }: HeldPage): number[] {
  const pages = Math.min(document.meta.totalPages, PAGES_MAX);
  return Array.from({ length: Math.max(0, pages - 1) }, (_, index) => index + 2);
}

function join(pages: readonly HeldPage[]): Held<JoinedPages> {
  return {
    document: joinPages(pages.map(({ document }) => document)),
    isStale: pages.some(({ isStale }) => isStale),
    readAt: Math.min(...pages.map(({ readAt }) => readAt)),
  };
}

function toAddress(network: Network, page: number) {
  return documents.validators(network, { page, limit: LIMIT });
}

type Page = DocumentOf<"validators">;

interface JoinedPages {
  data: Validator[];
  meta: {
    /** In the list; `data` may hold fewer. */
    total: number;
    snapshotAt: string | null;
    /** A validator may be missing between two lists. */
    isMixed: boolean;
  };
}

/** A validator on two pages counts from the newer one. */
export function joinPages(pages: readonly Page[]): JoinedPages {
  const oldestFirst = pages.toSorted((one, other) => toTime(one) - toTime(other));
  const validators = new Map(
    oldestFirst.flatMap(({ data }) => data.map((row) => [row.votePubkey, row] as const)),
  );
  const newest = oldestFirst.at(-1);
  return {
    data: [...validators.values()].sort((one, other) => one.rank - other.rank),
    meta: {
      total: newest?.meta.total ?? 0,
      snapshotAt: newest?.meta.snapshotAt ?? null,
      isMixed: new Set(pages.map(({ meta }) => meta.listVersion)).size > 1,
    },
  };
}

function toTime({ meta: { snapshotAt } }: Page): number {
  return snapshotAt === null ? 0 : Date.parse(snapshotAt);
}
