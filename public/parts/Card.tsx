import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { NOT_KNOWN } from "../format/values.ts";

export interface CardProps {
  title: string;
  anchor?: string;
  tools?: ComponentChildren;
  /** Where only the title shows until somebody opens it. */
  folds?: "on phones" | "always" | undefined;
  children: ComponentChildren;
  class?: string;
}

const PHONE = "(max-width: 47rem)";

export function Card({ folds, ...card }: CardProps) {
  // Asked once: what somebody reads does not close because they turn the screen.
  const [isFolded] = useState(
    () => folds === "always" || (folds === "on phones" && matchMedia(PHONE).matches),
  );
  return isFolded ? <FoldedCard {...card} /> : <OpenCard {...card} />;
}

function OpenCard({ title, anchor, tools, children, class: className = "" }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${className}`} id={anchor} aria-labelledby={id}>
      <header class="card-header">
        <h2 id={id}>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  );
}

function FoldedCard({ title, anchor, tools, children, class: className = "" }: CardProps) {
  const id = useId();
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // Browsers open it only for text that they search for.
    const openIfLinked = () => {
      if (anchor === undefined || location.hash !== `#${anchor}` || fold.current === null) return;
      fold.current.open = true;
      fold.current.scrollIntoView();
    };
    openIfLinked();
    addEventListener("hashchange", openIfLinked);
    return () => removeEventListener("hashchange", openIfLinked);
  }, [anchor]);
  return (
    <section class={`card ${className}`} aria-labelledby={id}>
      <details class="fold" ref={fold}>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        <div class="fold-body" id={anchor}>
          {tools}
          {children}
        </div>
      </details>
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly { value: Value; name: string; count?: number | undefined }[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

export function Choice<Value extends string>({
  label,
  options,
  chosen,
  onChoose,
}: ChoiceProps<Value>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(({ value, name, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {name}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

export function Fact({ name, children }: { name: ComponentChildren; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? <span class="quiet">{NOT_KNOWN}</span>}</dd>
    </div>
  );
}
