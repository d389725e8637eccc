import { ErrorBoundary } from "preact-iso";
import { type ComponentChildren, Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { Concentration } from "../../../generator/contract/stats.ts";
import { readWhole } from "../../format/url.ts";
import { toCount, toCounted, toSharePercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { lazily } from "../../parts/Failed.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { Sol } from "../../parts/values.tsx";
import {
  type Dimension,
  type Ranked,
  SUPERMINORITY_PERCENT,
  toRanking,
  toUnknownText,
  wholeOf,
} from "./ranking.ts";
import { ThirdStrip } from "./ThirdStrip.tsx";

const WorldMap = lazily(() => import("./WorldMap.tsx"));

const ROWS = 25;
const ROWS_MORE = 100;
const ROWS_MAX = 10_000;
const ROWS_BELOW_LINE = 5;

export function Shares({
  concentration,
  dimension,
}: {
  concentration: Concentration;
  dimension: Dimension;
}) {
  const { query } = useUrl();
  const shares = concentration[dimension.list];
  const coefficient = concentration.nakamotoCoefficients[dimension.list];
  const whole = wholeOf(concentration, dimension);
  const ranking = useMemo(() => toRanking(shares, whole), [shares, whole]);
  const least = Math.max(ROWS, coefficient + ROWS_BELOW_LINE);
  const rows = readWhole(query["rows"], { min: least, max: ROWS_MAX, otherwise: least });
  const shown = ranking.slice(0, rows);
  const together = ranking[coefficient - 1]?.cumulativePercent;
  const known = ranking.at(-1)?.cumulativePercent ?? 0;
  const unknown = toUnknownText(dimension, known, concentration.summary);
  return (
    <Card title={`Stake by ${dimension.one}`}>
      {together === undefined ? (
        <p class="state">{dimension.one} of the validators: not known.</p>
      ) : (
        <>
          <p class="shares-sentence">
            <strong>
              {coefficient === 1
                ? `One ${dimension.one} holds`
                : `${toCount(coefficient)} ${dimension.many} together hold`}{" "}
              {toSharePercent(together)}
            </strong>{" "}
            of the {dimension.isOfPlaces ? "located stake" : "active stake"} of the validator set
            {together < SUPERMINORITY_PERCENT ? "." : ", which is more than a third."}
            {unknown !== null && ` ${unknown}`}
          </p>
          <ThirdStrip ranking={ranking} coefficient={coefficient} />
          {dimension.list === "byCountry" && (
            <MapPlace>
              <WorldMap shares={concentration.byCountry} />
            </MapPlace>
          )}
          <SharesTable ranking={shown} coefficient={coefficient} dimension={dimension} />
          <TableEnd rows={rows} total={ranking.length} step={ROWS_MORE}>
            {toCounted(ranking.length, dimension.one, dimension.many)}
          </TableEnd>
        </>
      )}
    </Card>
  );
}

/** Keeps the room of the map while it loads. */
function MapPlace({ children }: { children: ComponentChildren }) {
  return (
    <div class="world-place">
      <ErrorBoundary>{children}</ErrorBoundary>
    </div>
  );
}

interface SharesTableProps {
  ranking: readonly Ranked[];
  coefficient: number;
  dimension: Dimension;
}

function SharesTable({ ranking, coefficient, dimension }: SharesTableProps) {
  const isOfValidators = dimension.list === "byValidator";
  return (
    <table class="shares-table">
      <caption class="visually-hidden">Stake by {dimension.one}, largest first</caption>
      <thead>
        <tr>
          <th scope="col" class="share-name">
            {dimension.one}
          </th>
          <th scope="col" class="number">
            Share
          </th>
          <th scope="col" class="share-bar" aria-hidden="true" />
          <th scope="col" class="number share-together">
            Together
          </th>
          <th scope="col" class="number share-stake">
            Active stake
          </th>
          {!isOfValidators && (
            <th scope="col" class="number share-validators">
              Validators
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {ranking.map(({ share, rank, cumulativePercent, barPercent }) => (
          <Fragment key={rank}>
            <tr class={rank <= coefficient ? "share share-above" : "share"}>
              <th scope="row" class="share-name">
                <span class="share-entity">
                  <span class="share-rank">{rank}</span>
                  <Name share={share} />
                </span>
              </th>
              <td class="number">{toSharePercent(share.stakePercent)}</td>
              <td class="share-bar" aria-hidden="true">
                <svg viewBox="0 0 100 1" preserveAspectRatio="none">
                  <rect width={barPercent} height="1" />
                </svg>
              </td>
              <td class="number share-together">{toSharePercent(cumulativePercent)}</td>
              <td class="number share-stake">
                <Sol lamports={share.activeStake.lamports} />
              </td>
              {!isOfValidators && (
                <td class="number share-validators">{toCount(share.validatorCount)}</td>
              )}
            </tr>
            {rank === coefficient && <Line count={rank} columns={isOfValidators ? 5 : 6} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Line({ count, columns }: { count: number; columns: number }) {
  return (
    <tr class="share-line">
      <td colSpan={columns}>
        <span>{count === 1 ? "This one passes" : `These ${toCount(count)} pass`} one third</span>
      </td>
    </tr>
  );
}

function Name({ share }: { share: Ranked["share"] }) {
  if (!("votePubkey" in share)) return <bdi class="name">{share.name}</bdi>;
  const { name, votePubkey, verdict } = share;
  return (
    <>
      <ValidatorName votePubkey={votePubkey} name={name === votePubkey ? null : name} />
      <VerdictWord level={verdict} />
    </>
  );
}
