import type { Concentration } from "../../../generator/contract/stats.ts";
import { toCounted, toPercent } from "../../format/amounts.ts";
import { Sol } from "../../parts/Sol.tsx";
import { subtract } from "./ranking.ts";

/** What the shares are of, and how much stake is nowhere on the map. */
export function Coverage({ summary }: { summary: Concentration["summary"] }) {
  const { validatorCount, totalStake, locatedStake, geoCoveragePercent } = summary;
  const unlocated = subtract(totalStake.lamports, locatedStake.lamports);
  return (
    <p class="note coverage">
      {toCounted(validatorCount, "validator")} with <Sol lamports={totalStake.lamports} />.{" "}
      {unlocated === "0" ? (
        "All of it is located."
      ) : (
        <>
          <strong>{toPercent(geoCoveragePercent)} of the stake is located</strong>; <Sol lamports={unlocated} /> is not.
          It counts in no country, data centre, city or autonomous system: their shares are of the located stake.
        </>
      )}
    </p>
  );
}
