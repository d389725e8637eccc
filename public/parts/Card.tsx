import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { NOT_KNOWN } from "../format/values.ts";

interface CardProps {
  title: string;
  anchor?: string;
  tools?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

export function Card({ title, anchor, tools, children, class: className = "" }: CardProps) {
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
