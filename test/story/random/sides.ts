import { epochAt, slotAt, timeAt } from "../clock.ts";
import { issuanceOf } from "../issuance.ts";
import type { Sides } from "../observations.ts";
import { producersOf, tipsOf } from "../tips.ts";
import { keyOf } from "../validators.ts";
import { answersBy } from "../witnesses.ts";
import { type Actor, identityOf } from "./actors.ts";
import type { Scene } from "./scenes.ts";

/** What a snapshot reads beside the lists. */
export function toSides(
  minute: number,
  actors: Actor[],
  { sides, gone, asked, silent }: Scene,
): Sides {
  // One row an identity, as the door leaves it.
  const nodes = [...new Map(actors.map((actor) => [actor.identityName, actor])).values()];
  const panel: (number | "silent")[] = [0, 1, 2].map((position) =>
    position === silent ? "silent" : position,
  );
  const producers = nodes
    .filter(({ leaderSlots }) => leaderSlots > 0)
    .map(({ identityName }) => identityName);
  return {
    absent: asked ? gone.map(keyOf) : [],
    nodes: section(sides.nodes, nodes.map(toNode)),
    info: section(sides.info, nodes.map(toInfo)),
    production: section(sides.production, {
      rows: nodes.map((one) => [identityOf(one), one.leaderSlots, 3]),
    }),
    stakeAccounts: section(sides.stakeAccounts, {
      epoch: epochAt(minute),
      asOf: timeAt(minute),
      rows: actors.map(({ name, stake }) => [keyOf(name), stake, 1n, 2]),
    }),
    mev: section(sides.mev, { rows: actors.filter(({ onMevList }) => onMevList).map(toVendorRow) }),
    priorityFees: section(sides.priorityFees, {
      rows: actors.map(({ name, mevBps }): [string, number | null] => [keyOf(name), mevBps]),
    }),
    tips: section(sides.tips, toTips(minute, actors, panel)),
    closedProduction: section(
      sides.closedProduction,
      producersOf(
        { minute, who: actors.map(({ identityName }) => identityName) },
        ...panel.map((one) => (one === "silent" ? one : producers)),
      ).value,
    ),
    locations: section(sides.locations, nodes.map(toLocation)),
    issuance: section(sides.issuance, toIssuance(minute, actors, panel)),
    tipAmounts: section(sides.tipAmounts, toTipAmounts(minute, actors, panel)),
  };
}

function section<Value>(state: "ok" | "failed" | "off" | "skipped", value: Value) {
  if (state === "ok") return { state, value };
  if (state === "failed") return { state, reason: "it did not answer" };
  return { state: "skipped" as const, off: state === "off" };
}

function toNode(actor: Actor) {
  const { version, clientId } = actor;
  return { identity: identityOf(actor), version, clientId, ip: null };
}

function toInfo(actor: Actor) {
  const { title } = actor;
  const website = title && `https://${title.length}.example`;
  return {
    identity: identityOf(actor),
    account: keyOf("info"),
    name: title,
    website,
    iconUrl: null,
  };
}

function toVendorRow({ name, mevBps, runningBam }: Actor) {
  return { vote: keyOf(name), mevBasisPoints: mevBps, priorityFeeBasisPoints: mevBps, runningBam };
}

function toLocation(actor: Actor) {
  const { city, asn } = actor;
  const country = city && "Germany";
  const place = {
    country,
    countryCode: city && "DE",
    city,
    asn,
    asnOrganization: asn && "Some Org",
  };
  return { identity: identityOf(actor), ...place };
}

function toTips(minute: number, actors: readonly Actor[], panel: readonly (number | "silent")[]) {
  const byName = new Map(actors.map((actor) => [actor.name, actor]));
  const shareOf = (name: string, isRunning: boolean) => {
    const actor = byName.get(name);
    if (actor === undefined) return 800;
    return (isRunning ? actor.onMevList : actor.onClosedList) ? actor.mevBps : "absent";
  };
  const shares = panel.map((one) => (one === "silent" ? one : shareOf));
  return tipsOf({ minute, who: actors.map(({ name }) => name), controls: ["control"] }, ...shares)
    .value;
}

/** The witnesses differ a little in the supply. */
function toIssuance(
  minute: number,
  { length }: readonly Actor[],
  panel: readonly (number | "silent")[],
) {
  const slotTimes: [number, number][] = [[200, slotAt(130)]];
  const validatorRate = (length + 1) / 100;
  const answers = panel.map((one) => {
    return one === "silent" ? one : { validatorRate, slotTimes, supply: 10n ** 18n + BigInt(one) };
  });
  return issuanceOf(minute, ...answers).value;
}

function toTipAmounts(
  minute: number,
  actors: readonly Actor[],
  panel: readonly (number | "silent")[],
) {
  const tips = actors.flatMap(({ name }) =>
    [0, 1].map((ago) => ({ vote: keyOf(name), epoch: epochAt(minute) - ago })),
  );
  const amounts = actors.flatMap(({ mevBps }): ([bigint | null, boolean] | null)[] => {
    const lamports = mevBps === null ? null : BigInt(mevBps * Math.ceil(minute));
    return [[lamports, false], mevBps === 9500 ? null : [BigInt(mevBps ?? 0), true]];
  });
  return { tips, answers: answersBy(panel, () => ({ slot: slotAt(minute), amounts })) };
}
