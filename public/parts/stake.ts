import { signal } from "@preact/signals";
import { readSol, SOL_DEFAULT } from "../format/cost.ts";
import { withStorage } from "./storage.ts";
import { useUrl } from "./use-url.ts";

const STORAGE_KEY = "rugwatch-sol";

/** null: not read yet. */
const kept = signal<number | null>(null);

/**
 * The stake that the reader calculates with, in whole SOL: that of the address, so that a link
 * says what it showed, else the one that this browser remembers for every page.
 */
export function useStake(): { sol: number; setStake: (sol: number) => void } {
  const { query, change } = useUrl();
  const remembered = kept.value ?? readKept();
  const setStake = (sol: number) => {
    kept.value = sol;
    withStorage((storage) => storage.setItem(STORAGE_KEY, String(sol)));
    change({ sol: sol === SOL_DEFAULT ? null : sol }, { replace: true });
  };
  return { sol: query["sol"] === undefined ? remembered : readSol(query), setStake };
}

function readKept(): number {
  const text = withStorage((storage) => storage.getItem(STORAGE_KEY));
  return text === null ? SOL_DEFAULT : readSol({ sol: text });
}
