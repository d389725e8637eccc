import type { Concentration } from "../../../generator/contract/stats.ts";
import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCount } from "../../format/amounts.ts";
import { DIMENSIONS, type Dimension } from "./dimensions.ts";

interface CoefficientsProps {
  concentration: Concentration;
  chosen: Dimension;
}

/** The coefficient of each dimension; each leads to the shares behind it. */
export function Coefficients({ concentration, chosen }: CoefficientsProps) {
  const { path, query } = useUrl();
  return (
    <nav class="coefficients" aria-label="Shares by">
      {DIMENSIONS.map(({ by, list, one, many }, index) => {
        const coefficient = concentration.nakamotoCoefficients[list];
        const all = concentration[list].length;
        return (
          <a
            key={by}
            class="coefficient"
            href={toAddress(path, { ...query, by: index === 0 ? null : by, rows: null })}
            aria-current={by === chosen.by ? "true" : undefined}
          >
            <strong>{all === 0 ? "–" : toCount(coefficient)}</strong>
            <span>{coefficient === 1 ? one : many}</span>
            <span class="second">{all === 0 ? "not known" : `of ${toCount(all)}`}</span>
          </a>
        );
      })}
    </nav>
  );
}
