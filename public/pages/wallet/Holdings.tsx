import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { readWhole } from "../../format/url.ts";
import { toCounted } from "../../format/values.ts";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { Sol } from "../../parts/values.tsx";
import type { Holding } from "./holdings.ts";
import { Terms } from "./Terms.tsx";

/** Each row costs two requests, of the sixty a client has a minute. */
const STEP = 10;

/** Narrow screens show rows as blocks, which without the roles would be no table. */
export function Holdings({ holdings }: { holdings: readonly Holding[] }) {
  const { query } = useUrl();
  const rows = readWhole(query["rows"], { min: 1, max: 1_000, otherwise: STEP });
  return (
    <>
      <table
        class="wide-table block-table holdings"
        role="table"
        aria-label="Your stake by validator"
      >
        <thead role="rowgroup">
          <tr role="row">
            {["Validator", "Stake", "State", "Verdict", "Commission", "Newest change"].map(
              (column) => (
                <th key={column} role="columnheader" scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {holdings.slice(0, rows).map((holding) => (
            <HoldingRow key={holding.votePubkey} holding={holding} />
          ))}
        </tbody>
      </table>
      <TableEnd rows={rows} total={holdings.length} step={STEP}>
        {toCounted(holdings.length, "validator")}
      </TableEnd>
    </>
  );
}

function HoldingRow({ holding }: { holding: Holding }) {
  const { network } = useUrl();
  const { votePubkey, lamports, accounts } = holding;
  const profile = useDocument(documents.validator(network, votePubkey));
  const validator = profile.held?.document.data ?? null;
  return (
    <tr role="row" class="holding">
      <th role="rowheader" scope="row">
        <ValidatorName
          votePubkey={votePubkey}
          name={validator?.name ?? null}
          iconUrl={validator?.iconUrl ?? null}
        />
        {validator?.listed === false && <span class="quiet"> left the network</span>}
        {validator?.delinquent === true && validator.listed && (
          <span class="mark mark-delinquent">delinquent</span>
        )}
      </th>
      <td role="cell">
        <Sol lamports={String(lamports)} />
        {accounts.length > 1 && (
          <span class="quiet wallet-accounts">{toCounted(accounts.length, "account")}</span>
        )}
      </td>
      <td role="cell">
        <States holding={holding} />
      </td>
      <Terms holding={holding} profile={profile} />
    </tr>
  );
}

const STATE_WORDS = {
  active: "active",
  activating: "activating: earns from the next epoch",
  deactivating: "deactivating: earns until this epoch ends",
  inactive: "inactive: you can withdraw it",
} as const;

/** Several states have an amount each. */
function States({ holding: { byState } }: { holding: Holding }) {
  return (
    <ul class="wallet-states">
      {[...byState].map(([state, lamports]) => (
        <li key={state}>
          {byState.size > 1 && (
            <>
              <Sol lamports={String(lamports)} />{" "}
            </>
          )}
          {STATE_WORDS[state]}
        </li>
      ))}
    </ul>
  );
}
