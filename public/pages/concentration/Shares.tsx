import { useMemo } from "preact/hooks";
import type { Concentration } from "../../../generator/contract/stats.ts";
import { readWhole } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCount, toCounted, toPercent, toSharePercent } from "../../format/amounts.ts";
import { Card } from "../../parts/Card.tsx";
import type { Dimension } from "./dimensions.ts";
import { toRanking } from "./ranking.ts";
import { SharesTable } from "./SharesTable.tsx";
import { TableEnd } from "../../parts/TableEnd.tsx";

interface SharesProps {
  concentration: Concentration;
  dimension: Dimension;
}

const ROWS = 25;
const ROWS_MORE = 100;
const ROWS_MAX = 10_000;
/** Rows below the line, so that one sees what follows. */
const ROWS_BELOW_LINE = 5;

/** The shares of one dimension, largest first; how many are shown is in the address. */
export function Shares({ concentration, dimension }: SharesProps) {
  const { query } = useUrl();
  const shares = concentration[dimension.list];
  const coefficient = concentration.nakamotoCoefficients[dimension.list];
  const ranking = useMemo(() => toRanking(shares), [shares]);
  const least = Math.max(ROWS, coefficient + ROWS_BELOW_LINE);
  const rows = readWhole(query["rows"], { min: least, max: ROWS_MAX, otherwise: least });
  const shown = ranking.slice(0, rows);
  const together = ranking[coefficient - 1]?.cumulativePercent;
  return (
    <Card title={`Stake by ${dimension.one}`} class="shares">
      {together === undefined ? (
        <p class="state">No {dimension.one} is known of any validator.</p>
      ) : (
        <>
          <p class="shares-sentence">
            <strong>
              {coefficient === 1
                ? `One ${dimension.one} holds`
                : `${toCount(coefficient)} ${dimension.many} together hold`}{" "}
              {toSharePercent(together)}
            </strong>{" "}
            of the {dimension.isOfPlaces ? "located" : "active"} stake: enough for the line of 33.33 %.
            {dimension.isOfPlaces && concentration.summary.geoCoveragePercent < 100 && (
              <> What is not located ({toPercent(100 - concentration.summary.geoCoveragePercent)}) is in no row.</>
            )}
          </p>
          <SharesTable ranking={shown} coefficient={coefficient} dimension={dimension} />
          <TableEnd rows={rows} total={ranking.length} step={ROWS_MORE}>
            {toCounted(ranking.length, dimension.one, dimension.many)}
          </TableEnd>
        </>
      )}
    </Card>
  );
}
