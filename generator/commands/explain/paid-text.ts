import { toPercent } from "../../contract/numbers.ts";
import { toPlainLine } from "../../contract/strangers-text.ts";
import type { PaidExplanation } from "../../service/explain.ts";
import type { PaidEvidence, PaidReading } from "../../service/explain/paid.ts";

/** `--json` has all. */
const EPOCHS_MOST = 3;

/** The explanation of a validator as text for a terminal. */
export function describePaid({ votePubkey, network, measured, paid }: PaidExplanation): string {
  const head = `validator  ${votePubkey} on ${network}`;
  const found =
    measured === 0
      ? "  no epoch's rewards were measured"
      : `  epochs whose rewards were measured: ${measured}; that took another commission than the one that applied: ${paid.length}`;
  return [[head, found].join("\n"), ...toPaidBlocks(paid)].join("\n\n");
}

/** Blocks of text, one an epoch whose rewards took another commission than the one that applied. */
export function toPaidBlocks(paid: readonly PaidEvidence[]): string[] {
  const more = paid.length - EPOCHS_MOST;
  return [
    ...paid.slice(-EPOCHS_MOST).map(toBlock),
    ...(more > 0 ? [`${more} earlier epochs that took another commission: --json has them`] : []),
  ];
}

function toBlock({ epoch, decidedIn, applied, paid, name, witnesses }: PaidEvidence): string {
  const rule =
    applied === null || decidedIn === null
      ? "nothing is paid by rule"
      : `${toPercent(applied)} % applies, as it stood when epoch ${decidedIn} ended`;
  return [
    `paid  epoch ${epoch} took ${toPercent(paid)} %, where ${rule}`,
    name === null ? "  the entry that shows what was paid cannot be read" : `  ${name}`,
    ...witnesses.flatMap(toLines),
  ].join("\n");
}

function toLines({
  endpoint,
  paid,
  credits,
  kept,
  totalPoints,
  totalRewards,
  accounts,
}: PaidReading): string[] {
  const taken = typeof paid === "number" ? `${toPercent(paid)} %` : "not known";
  const totals = `${credits ?? 0n} vote credits; ${totalRewards} lamports for ${totalPoints} points`;
  return [
    `  ${toPlainLine(endpoint)}: ${taken}, by ${totals}`,
    `    the vote account itself got ${kept ?? "nothing that is listed"}`,
    ...accounts.map(({ stakeAccount, staked, reward, amount }) =>
      staked === null
        ? `    ${stakeAccount}: not delegated to it in all of the epoch`
        : `    ${stakeAccount}: ${staked} lamports earned ${reward}, of which it got ${amount}`,
    ),
  ];
}
