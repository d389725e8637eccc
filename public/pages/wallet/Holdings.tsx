import { documents, NEWEST } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { readWhole } from "../../format/url.ts";
import { toCount, toCounted } from "../../format/values.ts";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { Sol } from "../../parts/values.tsx";
import { type Holding, isIdle } from "./holdings.ts";
import { Terms, type TermsProps } from "./Terms.tsx";

const STEP = 50;

/** Narrow screens show rows as blocks, which without the roles would be no table. */
export function Holdings({ holdings }: { holdings: readonly Holding[] }) {
  const { query, network } = useUrl();
  const events = useDocument(documents.events(network, NEWEST));
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
            <HoldingRow key={holding.votePubkey} holding={holding} events={events} />
          ))}
        </tbody>
      </table>
      <TableEnd rows={rows} total={holdings.length} step={STEP}>
        {toCounted(holdings.length, "validator")}
        {toIdleText(holdings)}
      </TableEnd>
    </>
  );
}

/** ", 1 of them with inactive stake only": what to do leaves these out. */
function toIdleText(holdings: readonly Holding[]): string {
  const idle = holdings.filter(isIdle).length;
  return idle === 0 ? "" : `, ${toCount(idle)} of them with inactive stake only`;
}

function HoldingRow({ holding, events }: TermsProps) {
  const { votePubkey, validator, lamports, accounts } = holding;
  return (
    <tr role="row" class="holding">
      <th role="rowheader" scope="row">
        <ValidatorName
          votePubkey={votePubkey}
          name={validator?.name ?? null}
          iconUrl={validator?.iconUrl ?? null}
        />
        {validator === null && <span class="quiet"> not in the network now</span>}
        {validator?.delinquent === true && <strong class="mark mark-delinquent">delinquent</strong>}
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
      <Terms holding={holding} events={events} />
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
