interface ChoiceProps<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  options: readonly { value: Value; name: string; count?: number }[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** One of a few, all in view. */
export function Choice<Value extends string>({ label, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(({ value, name, count }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
