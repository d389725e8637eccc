import type { Validator } from "../../../generator/contract/validator.ts";
import { useUrl } from "../../app/use-url.ts";
import { toPercent, toSharePercent } from "../../format/amounts.ts";
import { Ago } from "../../parts/Ago.tsx";
import { Sol } from "../../parts/Sol.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { ChangesCell } from "./ChangesCell.tsx";
import type { Marks } from "./marks.ts";

interface ValidatorRowProps {
  validator: Validator;
  /** null: not read yet, or not to be had. */
  marks: Marks | "none" | null;
  hasNoMarks: boolean;
}

/** One validator of the list. */
export function ValidatorRow({ validator, marks, hasNoMarks }: ValidatorRowProps) {
  const { network } = useUrl();
  const { votePubkey, name, iconUrl, rank, commission, activeStake, stakePercent, client, version } = validator;
  return (
    <tr role="row" class="validator-row">
      <td role="cell" class="validator-rank">
        {rank}
      </td>
      <td role="cell" class="validator-name-cell">
        <ValidatorName network={network} votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
      </td>
      <td role="cell" class="validator-commission">
        <span class="cell-name" aria-hidden="true">
          Commission{" "}
        </span>
        <strong class={commission === null ? "quiet" : ""}>{toPercent(commission)}</strong>
        <span class="second">{toMevState(validator)}</span>
      </td>
      <td role="cell" class="validator-stake">
        <Sol lamports={activeStake.lamports} />
        <span class="second">{toSharePercent(stakePercent)}</span>
      </td>
      <td role="cell" class="validator-client">
        {client ?? <span class="quiet">not known</span>}
        {version !== null && (
          <span class="second cut" title={version}>
            {version}
          </span>
        )}
      </td>
      <td role="cell" class="validator-location">
        <Place location={validator.location} />
      </td>
      <td role="cell" class="validator-changes">
        <ChangesCell marks={marks} hasNoMarks={hasNoMarks} />
      </td>
      <td role="cell" class="validator-delinquent">
        <Voting validator={validator} />
      </td>
    </tr>
  );
}

/** A stranger's text is not among it, but the texts of a database are: shown as they are. */
function Place({ location }: Pick<Validator, "location">) {
  if (location === null) return <span class="quiet">not located</span>;
  const { city, country, countryCode, dataCenter } = location;
  const place = [city, city === null ? country : (countryCode ?? country)].filter((part) => part !== null).join(", ");
  return (
    <>
      <span title={country ?? undefined}>{place === "" ? <span class="quiet">not known</span> : place}</span>
      {dataCenter !== null && <span class="second">{dataCenter}</span>}
    </>
  );
}

function Voting({ validator: { delinquent, delinquentSince, inValidatorSet } }: { validator: Validator }) {
  if (!delinquent) return <span class="quiet">{inValidatorSet ? "voting" : "not in the set"}</span>;
  return (
    <>
      <strong class="mark mark-delinquent">delinquent</strong>
      {delinquentSince !== null && (
        <span class="second">
          since <Ago time={delinquentSince} />
        </span>
      )}
    </>
  );
}

/** By the software it runs: whether and how much it takes of MEV tips says the validator's own page. */
function toMevState({ mevVendorEnabled, batchVendorEnabled }: Validator): string {
  if (batchVendorEnabled) return "MEV, batched blocks";
  return mevVendorEnabled ? "MEV" : "no MEV client";
}
