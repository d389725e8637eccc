import type { Network } from "../../../generator/contract/networks.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { toCount, toCounted } from "../../format/amounts.ts";
import { ChainName } from "../../parts/ChainName.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";

/** Vote accounts of one authority that are named. */
const NAMED = 3;

/** How far transactions were searched for what no observation saw. */
export function Swept({ status: { swept }, network }: { status: Status; network: Network }) {
  const { validators, covered, upToSlot, refused, contradictions, busy, busyTotal } = swept;
  return (
    <>
      <p class="lead">
        Once an epoch the transactions of every withdraw authority are searched for changes of commission that no
        observation saw. {toCoveredText({ validators, covered, upToSlot })}
        {refused > 0 &&
          ` Of ${toCounted(refused, "validator")} too few endpoints could be asked: they keep no past transactions.`}
        {contradictions > 0 &&
          ` ${toCounted(contradictions, "commission that was read is", "commissions that were read are")} contradicted by a proved transaction, which counts.`}
      </p>
      {busyTotal > 0 && (
        <>
          <p class="state">
            {toCounted(busyTotal, "authority signs", "authorities sign")} too much to be searched
            {busyTotal > busy.length && `, the first ${toCount(busy.length)} of them`}:
          </p>
          <Busy busy={busy} network={network} />
        </>
      )}
    </>
  );
}

function toCoveredText({
  validators,
  covered,
  upToSlot,
}: Pick<Status["swept"], "validators" | "covered" | "upToSlot">) {
  if (upToSlot === null) return "So far none is searched.";
  return `${toCount(covered)} of ${toCounted(validators, "validator")} are searched up to slot ${toCount(upToSlot)}.`;
}

function Busy({ busy, network }: { busy: Status["swept"]["busy"]; network: Network }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Busy authorities">
      <table class="wide-table">
        <caption class="visually-hidden">Authorities that sign too much to be searched</caption>
        <thead>
          <tr>
            <th scope="col">Withdraw authority</th>
            <th scope="col">Validators</th>
          </tr>
        </thead>
        <tbody>
          {busy.map(({ authority, votePubkeys }) => (
            <tr key={authority}>
              <th scope="row">
                <ChainName kind="address" name={authority} network={network} what="the authority" />
              </th>
              <td>
                {votePubkeys.slice(0, NAMED).map((votePubkey) => (
                  <div key={votePubkey}>
                    <ValidatorName network={network} votePubkey={votePubkey} name={null} />
                  </div>
                ))}
                {votePubkeys.length > NAMED && (
                  <span class="bounds">and {toCount(votePubkeys.length - NAMED)} more</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
