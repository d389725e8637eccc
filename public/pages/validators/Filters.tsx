import { toPercent } from "../../format/values.ts";
import { VERDICT_WORDS } from "../../parts/VerdictWord.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { type Filter, isFiltered, LEVELS, RATES } from "./filter.ts";

export function Filters({ filter }: { filter: Filter }) {
  const { change } = useUrl();
  const { verdicts, commissionMax, mevMax } = filter;
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
      <AtMost
        name="Inflation"
        rate={commissionMax}
        onChoose={(rate) => change({ commissionMax: rate, page: null })}
      />
      <AtMost name="MEV" rate={mevMax} onChoose={(rate) => change({ mevMax: rate, page: null })} />
      {isFiltered(filter) && (
        <button
          type="button"
          class="link-button"
          onClick={() => change({ verdict: null, commissionMax: null, mevMax: null, page: null })}
        >
          Show all
        </button>
      )}
    </div>
  );
}

interface AtMostProps {
  name: string;
  /** Percent; null: any. */
  rate: number | null;
  onChoose: (rate: number | null) => void;
}

function AtMost({ name, rate, onChoose }: AtMostProps) {
  const rates = [...new Set([...RATES, ...(rate === null ? [] : [rate])])];
  return (
    <label class="filter-rate">
      {name}{" "}
      <select
        value={rate === null ? "" : String(rate)}
        onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
      >
        <option value="">any</option>
        {rates
          .sort((one, other) => one - other)
          .map((each) => (
            <option key={each} value={String(each)}>
              {each === 0 ? toPercent(0) : `at most ${toPercent(each)}`}
            </option>
          ))}
      </select>
    </label>
  );
}
