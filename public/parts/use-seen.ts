import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Half a view before it is scrolled to: it is there when it is seen. */
const AHEAD = "50% 0px";

/** Whether an element was in view, or nearly, so far: what only fills it in can wait until then. */
export function useSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen;
}
