import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

interface DisclosureProps {
  /** Follows "Show" or "Hide": "the 23 validators". */
  what: string;
  isOpenAtFirst?: boolean;
  children: () => ComponentChildren;
}

export function Disclosure({ what, isOpenAtFirst = false, children }: DisclosureProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  // A link on the page can ask for what is in it.
  useEffect(() => {
    if (isOpenAtFirst) setOpen(true);
  }, [isOpenAtFirst]);
  return (
    <>
      <button
        type="button"
        class="link-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide" : "Show"} {what}
      </button>
      <div id={id} class="disclosed" hidden={!isOpen}>
        {isOpen && children()}
      </div>
    </>
  );
}
