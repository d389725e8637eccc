import type { Status } from "../../../generator/contract/status.ts";
import { toCount, toCounted } from "../../format/amounts.ts";
import { Ago } from "../../parts/Ago.tsx";

type Ruling = Status["rulings"][number];

const VERDICTS: Readonly<Record<Ruling["of"], Record<Ruling["verdict"], string>>> = {
  event: { accept: "Event stands", ignore: "Event taken back" },
  observation: { accept: "Observation believed", ignore: "Observation not believed" },
};

/** Where the operators corrected the record, and why. */
export function Rulings({ status: { rulings, rulingsTotal, withdrawn } }: { status: Status }) {
  return (
    <>
      <p class="lead">
        Operators can correct the record, and must say why.{" "}
        {withdrawn > 0 && <>{toCounted(withdrawn, "event is", "events are")} taken back and shown nowhere.</>}
      </p>
      {rulings.length === 0 ? (
        <p class="state">Nothing was ruled.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Rulings">
          <table class="wide-table">
            <caption class="visually-hidden">Rulings, newest first</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {rulings.map(({ subject, of, verdict, reason, ruledAt }) => (
                <tr key={subject}>
                  <td class="when">
                    <Ago time={ruledAt} />
                  </td>
                  <td>
                    {VERDICTS[of][verdict]}
                    <code class="bounds breakable">{subject}</code>
                  </td>
                  <td class="breakable">{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rulingsTotal > rulings.length && (
        <p class="quiet">
          The newest {toCount(rulings.length)} of {toCount(rulingsTotal)}.
        </p>
      )}
    </>
  );
}
