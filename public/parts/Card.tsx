import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  title: string;
  /** Beside the title: filters, links. */
  tools?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

/** A block of a page: a region with a heading, which screen readers list by its title. */
export function Card({ title, tools, children, class: className = "" }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${className}`} aria-labelledby={id}>
      <header class="card-header">
        <h2 id={id}>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  );
}
