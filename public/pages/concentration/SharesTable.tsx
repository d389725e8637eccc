import { Fragment } from "preact";
import type { Share } from "../../../generator/contract/stats.ts";
import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCount, toSharePercent } from "../../format/amounts.ts";
import { Sol } from "../../parts/Sol.tsx";
import { toShortKey } from "../../parts/ValidatorName.tsx";
import type { Dimension } from "./dimensions.ts";
import type { Ranked } from "./ranking.ts";

/** What stands for the name of a validator that has none: its vote account. */
const KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

interface SharesTableProps {
  ranking: readonly Ranked[];
  /** The line lies below so many rows. */
  coefficient: number;
  dimension: Dimension;
}

/** Ranked bars; the bar is a picture of the share beside it, as long as that is of the largest. */
export function SharesTable({ ranking, coefficient, dimension }: SharesTableProps) {
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
                  <Name share={share} isOfValidators={isOfValidators} />
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
              {!isOfValidators && <td class="number share-validators">{toCount(share.validatorCount)}</td>}
            </tr>
            {rank === coefficient && <Line columns={isOfValidators ? 5 : 6} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Line({ columns }: { columns: number }) {
  return (
    <tr class="share-line">
      <td colSpan={columns}>
        <span>33.33 % is reached here</span>
      </td>
    </tr>
  );
}

/** Validators are named only, and two may have chosen one name: each leads to the search for it, not to a page. */
function Name({ share: { name }, isOfValidators }: { share: Share; isOfValidators: boolean }) {
  const { network } = useUrl();
  if (!isOfValidators) return <bdi class="name">{name}</bdi>;
  return (
    <a class="name" href={toAddress("/validators", { q: name, network })} title={name}>
      {KEY.test(name) ? <span class="key">{toShortKey(name)}</span> : <bdi>{name}</bdi>}
    </a>
  );
}
