import { USUAL_SOL } from "../format/cost.ts";
import { toCount } from "../format/values.ts";
import { useStake } from "./stake.ts";
import "../style/inline-select.css";

/** The stake that the whole site calculates with, in place of its number in a sentence. */
export function StakeSelect() {
  const { sol, setStake } = useStake();
  const amounts = [...new Set([...USUAL_SOL, sol])].sort((one, other) => one - other);
  return (
    <select
      class="inline-select"
      aria-label="Your stake in SOL"
      value={String(sol)}
      onChange={({ currentTarget: { value } }) => setStake(Number(value))}
    >
      {amounts.map((amount) => (
        <option key={amount} value={amount}>
          {toCount(amount)}
        </option>
      ))}
    </select>
  );
}
