import { type Query, readWhole } from "../../format/url.ts";
import { toCount } from "../../format/values.ts";
import { Choice } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";

interface NewestChoiceProps {
  label: string;
  options: readonly Newest[];
  chosen: Newest;
  onChoose: (newest: Newest) => void;
}

export function NewestChoice({ label, options, chosen, onChoose }: NewestChoiceProps) {
  return (
    <Choice
      label={label}
      chosen={String(chosen)}
      options={options.map((each) => ({
        value: String(each),
        name: each === ALL ? "All" : toCount(each),
      }))}
      onChoose={(value) => onChoose(options.find((each) => String(each) === value) ?? ALL)}
    />
  );
}

export function EpochsChoice() {
  const { query, change } = useUrl();
  const epochs = readEpochs(query);
  return (
    <NewestChoice
      label="Epochs shown"
      options={toEpochOptions(epochs)}
      chosen={epochs}
      onChoose={(newest) => change({ epochs: newest === EPOCHS_DEFAULT ? null : newest })}
    />
  );
}

/** Everything, instead of a number of newest rows. */
export const ALL = "all";
type Newest = number | typeof ALL;

const EPOCHS_DEFAULT = 100;
export const DAYS_DEFAULT = 90;
const EPOCHS = [30, EPOCHS_DEFAULT] as const;
const DAYS = [30, DAYS_DEFAULT, 365] as const;
const MAX = 9_999;

export function readEpochs(query: Query): Newest {
  return readNewest(query["epochs"], EPOCHS_DEFAULT);
}

export function readDays(query: Query): Newest {
  return readNewest(query["days"], DAYS_DEFAULT);
}

export function toEpochOptions(chosen: Newest): Newest[] {
  return withChosen(EPOCHS, chosen);
}

export function toDayOptions(chosen: Newest): Newest[] {
  return withChosen(DAYS, chosen);
}

export function takeNewest<Row>(oldestFirst: readonly Row[], newest: Newest): readonly Row[] {
  return newest === ALL ? oldestFirst : oldestFirst.slice(-newest);
}

function readNewest(text: string | undefined, otherwise: number): Newest {
  return text === ALL ? ALL : readWhole(text, { min: 1, max: MAX, otherwise });
}

function withChosen(usual: readonly number[], chosen: Newest): Newest[] {
  const counts = new Set(chosen === ALL ? usual : [...usual, chosen]);
  return [...[...counts].sort((one, other) => one - other), ALL];
}
