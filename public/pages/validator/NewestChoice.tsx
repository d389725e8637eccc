import { Choice } from "../../parts/Choice.tsx";
import { toCount } from "../../format/amounts.ts";
import { ALL, type Newest } from "./ranges.ts";

interface NewestChoiceProps {
  label: string;
  options: readonly Newest[];
  chosen: Newest;
  onChoose: (newest: Newest) => void;
}

/** How many of the newest are shown. */
export function NewestChoice({ label, options, chosen, onChoose }: NewestChoiceProps) {
  return (
    <Choice
      label={label}
      chosen={String(chosen)}
      options={options.map((each) => ({ value: String(each), name: each === ALL ? "All" : toCount(each) }))}
      onChoose={(value) => onChoose(options.find((each) => String(each) === value) ?? ALL)}
    />
  );
}
