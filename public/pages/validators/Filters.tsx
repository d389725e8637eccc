import { toPercent } from "../../format/values.ts";
import { VERDICT_WORDS } from "../../parts/VerdictWord.tsx";
import { useUrl } from "../../parts/use-url.ts";
import {
  type Bound,
  BOUNDS,
  type Filter,
  isFiltered,
  LEVELS,
  toBoundParameters,
} from "./filter.ts";

export function Filters({ filter }: { filter: Filter }) {
  const { change } = useUrl();
  const { verdicts, inflation, mev } = filter;
  const toggle = (level: (typeof LEVELS)[number]) => {
    const next = LEVELS.filter((each) => verdicts.includes(each) !== (each === level));
    change({ verdict: next.length === 0 ? null : next.join(","), page: null });
  };
  return (
    <div class="filters">
      <div class="filter-chips" role="group" aria-label="Verdict">
        {LEVELS.map((level) => (
          <button
            key={level}
            type="button"
            class="chip"
            aria-pressed={verdicts.includes(level)}
            onClick={() => toggle(level)}
          >
            <span class={`verdict-word verdict-word-${level}`} aria-hidden="true">
              {VERDICT_WORDS[level].sign}
            </span>{" "}
            {VERDICT_WORDS[level].word}
          </button>
        ))}
      </div>
      <BoundSelect
        name="Inflation"
        bound={inflation}
        onChoose={(bound) => change({ ...toBoundParameters("inflation", bound), page: null })}
      />
      <BoundSelect
        name="MEV"
        bound={mev}
        onChoose={(bound) => change({ ...toBoundParameters("mev", bound), page: null })}
      />
      {isFiltered(filter) && (
        <button
          type="button"
          class="link-button"
          onClick={() =>
            change({
              verdict: null,
              ...toBoundParameters("inflation", null),
              ...toBoundParameters("mev", null),
              page: null,
            })
          }
        >
          Show all
        </button>
      )}
    </div>
  );
}

interface BoundSelectProps {
  name: string;
  /** null: any. */
  bound: Bound | null;
  onChoose: (bound: Bound | null) => void;
}

function BoundSelect({ name, bound, onChoose }: BoundSelectProps) {
  const chosen = bound === null ? "" : toValue(bound);
  const choices = new Map(
    [...BOUNDS, ...(bound === null ? [] : [bound])]
      .toSorted((one, other) => compareSides(one, other) || one.rate - other.rate)
      .map((each) => [toValue(each), each]),
  );
  return (
    <label class="filter-rate">
      {name}{" "}
      <select
        value={chosen}
        onChange={({ currentTarget: { value } }) => onChoose(choices.get(value) ?? null)}
      >
        <option value="">any</option>
        {[...choices].map(([value, each]) => (
          <option key={value} value={value}>
            {toText(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

function toValue({ side, rate }: Bound): string {
  return `${side} ${rate}`;
}

function compareSides(one: Bound, other: Bound): number {
  return Number(one.side === "least") - Number(other.side === "least");
}

function toText({ side, rate }: Bound): string {
  if (side === "least") return `at least ${toPercent(rate)} now`;
  return rate === 0 ? toPercent(0) : `at most ${toPercent(rate)}`;
}
