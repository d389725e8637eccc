import { toCounted } from "../../format/amounts.ts";
import { Change } from "../../parts/Change.tsx";
import { SeverityBadge } from "../../parts/SeverityBadge.tsx";
import { SERIAL_TURNS, type Marks } from "./marks.ts";

interface ChangesCellProps {
  /** null: not read yet, or not to be had. */
  marks: Marks | "none" | null;
  /** The changes could not be read. */
  hasNoMarks: boolean;
}

/** What a validator changed of late: the newest change, the worst of all, and whether it goes to and fro. */
export function ChangesCell({ marks, hasNoMarks }: ChangesCellProps) {
  if (marks === null) return <span class="quiet">{hasNoMarks ? "not known" : "…"}</span>;
  if (marks === "none") return <span class="quiet">no changes</span>;
  const { changes, newest, worst, turns } = marks;
  return (
    <>
      <span class="changes-marks">
        <SeverityBadge severity={worst} />
        {toCounted(changes, "change")}
        {turns >= SERIAL_TURNS && <strong class="mark mark-flips">flips {turns}×</strong>}
      </span>
      <span class="second">
        <Change event={newest} />
      </span>
    </>
  );
}
