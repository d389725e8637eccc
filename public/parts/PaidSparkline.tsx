import { toCounted, toPercent } from "../format/values.ts";
import { Sparkline } from "./Sparkline.tsx";

/** @param paid percent by epoch, oldest first; null: not known */
export function PaidSparkline({ paid }: { paid: readonly (number | null)[] }) {
  return <Sparkline values={paid} title={toPaidText(paid)} />;
}

/** "Paid in 30 epochs: 5 % to 100 %" */
function toPaidText(paid: readonly (number | null)[]): string {
  const known = paid.filter((rate) => rate !== null);
  if (known.length === 0) return "Paid: not known";
  const [least, most] = [Math.min(...known), Math.max(...known)].map(toPercent);
  const epochs = toCounted(paid.length, "epoch");
  return `Paid in ${epochs}: ${least === most ? `always ${least}` : `${least} to ${most}`}`;
}
