import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The title that a page gives itself in place of the one in the table of pages; null: none. */
export const ownTitle = signal<string | null>(null);

/** Names the document after what the page shows, while it shows it; null leaves it the name of the page. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    ownTitle.value = title;
    return () => {
      ownTitle.value = null;
    };
  }, [title]);
}
