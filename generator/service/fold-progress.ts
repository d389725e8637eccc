import type { Network } from "../contract/networks.ts";
import type { Journal } from "../journal/journal.ts";
import { createProgress } from "./progress.ts";

/** Fewer are folded before anybody begins to wonder: a run folds some seventy. */
const MANY_ENTRIES = 500;

interface FoldProgressOptions {
  network: Network;
  say: (line: string) => void;
  /** Ends a reading, which then throws its reason. */
  signal?: AbortSignal;
}

/** The same journal; whoever reads many entries of it at once is told how many, and then each tenth. */
export function withProgress(journal: Journal, { network, say, signal }: FoldProgressOptions): Journal {
  return {
    ...journal,
    async *read(names) {
      const wanted = [...names];
      const total = wanted.length;
      if (total < MANY_ENTRIES) {
        yield* stoppable(journal.read(wanted), signal);
        return;
      }
      say(`${network}: ${total} entries are to be folded`);
      const tell = createProgress("entries folded", say);
      let folded = 0;
      for await (const entry of stoppable(journal.read(wanted), signal)) {
        folded += 1;
        tell({ network, folded, total });
        yield entry;
      }
    },
  };
}

async function* stoppable<Read>(reading: AsyncIterable<Read>, signal: AbortSignal | undefined): AsyncGenerator<Read> {
  for await (const one of reading) {
    signal?.throwIfAborted();
    yield one;
  }
}
