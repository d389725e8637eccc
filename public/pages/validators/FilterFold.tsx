import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FilterFoldProps {
  /** Whether a filter is chosen, which then is in sight. */
  isFiltered: boolean;
  children: ComponentChildren;
}

/** As in validators.css: wider screens have room for all of it. */
const NARROW = "(max-width: 64rem)";

/** On narrow screens the rows come first, and what chooses among them waits behind a word. */
export function FilterFold({ isFiltered, children }: FilterFoldProps) {
  // Asked once: what somebody reads does not close because they turn the screen.
  const [isFolded] = useState(() => matchMedia(NARROW).matches);
  const [isOpenAtFirst] = useState(isFiltered);
  if (!isFolded) return <div class="filter-line">{children}</div>;
  return (
    <details class="figures filter-fold" open={isOpenAtFirst}>
      <summary>Filters and order</summary>
      <div class="filter-line">{children}</div>
    </details>
  );
}
