import type { Network } from "../../../generator/contract/networks.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { toCounted, toPercent } from "../../format/amounts.ts";
import { SOURCE_NAMES } from "../../format/commissions.ts";
import { Ago } from "../../parts/Ago.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";

/** Changes that were seen once. */
export function Pending({ status: { pending, dropped }, network }: { status: Status; network: Network }) {
  return (
    <>
      <p class="lead">
        A change waits until a majority of the endpoints read it in the account itself; until then every page shows the
        old value. Endpoints that contradict each other are asked again with every check.{" "}
        {dropped > 0 && <>{toCounted(dropped, "change was", "changes were")} not confirmed so far and dropped.</>}
      </p>
      {pending.length === 0 ? (
        <p class="state">No change is waiting.</p>
      ) : (
        <div class="scroll-wide" tabIndex={0} role="region" aria-label="Pending changes">
          <table class="wide-table">
            <caption class="visually-hidden">Pending changes</caption>
            <thead>
              <tr>
                <th scope="col">Validator</th>
                <th scope="col">Change</th>
                <th scope="col">First seen</th>
                <th scope="col">Endpoints</th>
              </tr>
            </thead>
            <tbody>
              {pending.map(({ votePubkey, source, fromCommission, toCommission, firstSeenAt, disputed, witnesses }) => (
                <tr key={`${votePubkey} ${source}`}>
                  <th scope="row">
                    <ValidatorName network={network} votePubkey={votePubkey} name={null} />
                  </th>
                  <td>
                    {SOURCE_NAMES[source]} {toSide(fromCommission, source)} <span aria-hidden="true">→</span>
                    <span class="visually-hidden"> to </span> <strong>{toSide(toCommission, source)}</strong>
                  </td>
                  <td>
                    <Ago time={firstSeenAt} />
                  </td>
                  <td>
                    {disputed && <strong>Disputed. </strong>}
                    {toWitnesses(witnesses, source)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

/** Who says what: `rpc.example.org 5 %, rpc.example.net no answer`. */
function toWitnesses(
  witnesses: Status["pending"][number]["witnesses"],
  source: Status["pending"][number]["source"],
): string {
  const said = witnesses.map(({ endpoint, commission }) => {
    const value = commission === null && source === "COMMISSION" ? "no answer" : toSide(commission, source);
    return `${endpoint.replace(/^https?:\/\//, "")} ${value}`;
  });
  return said.length === 0 ? "not asked yet" : said.join(", ");
}

/** Of MEV there is no commission where it is disabled. */
function toSide(commission: number | null, source: Status["pending"][number]["source"]): string {
  return commission === null && source === "MEV" ? "off" : toPercent(commission);
}
