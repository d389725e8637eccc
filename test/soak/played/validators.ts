import { expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, timeAt } from "../../service/harness.ts";
import { toPercent } from "../../service/planned-events.ts";
import { voteOf, type PlayedStory } from "./play.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

export function describeValidators(story: () => PlayedStory): void {
  it("each validator is listed as it is: its identity, its rate and its stakes, exact also above 2^53", async () => {
    const { cluster, ...site } = story().stage;
    const { looks } = story();
    const { data, meta } = await readDocument(site, "validators", {});
    const last = looks.findLast(({ report }) => report.command === "snapshot")?.time ?? 0;
    const { moment, validators } = cluster.at(last);
    const rates = new Map(
      validators.map(({ votePubkey, basisPoints }) => [votePubkey, basisPoints]),
    );
    for (const { votePubkey, identityPubkey, commission, ...row } of data) {
      const member = cluster.members.find(({ vote }) => vote.address === votePubkey)!;
      const { active, activating, deactivating } = cluster.stakes.of(member, moment.ordinal);
      const stakes = [row.activeStake, row.activatingStake, row.deactivatingStake];
      expect(stakes.map(({ lamports }) => BigInt(lamports))).toEqual([
        active,
        activating,
        deactivating,
      ]);
      expect(identityPubkey).toBe(cluster.nodes.identityAt(member, moment).address);
      expect(commission).toBe(toPercent(rates.get(votePubkey)!));
    }
    expect(data.length).toBeGreaterThan(30);
    expect(BigInt(data[0]?.activeStake.lamports ?? 0)).toBeGreaterThan(2n ** 53n);
    expect([...rates.values()].some((basisPoints) => basisPoints > 10_000)).toBe(true);
    const total = data.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
    expect(meta).toMatchObject({ total: data.length, networkStake: { lamports: String(total) } });
    expect(data.map(({ rank }) => rank)).toEqual(data.map((_, index) => index + 1));
  });

  it("one that vanishes leaves the list after the second snapshot without it, and comes back with all it had", async () => {
    const { stage, looks, vanished } = story();
    const votePubkey = voteOf(stage);
    const gone = looks.filter(({ listed }) => !listed.has(votePubkey)).map(({ time }) => time);
    // Gone from 0.35 to 1.5, minutes 42 to 180: absent at minutes 50 and 60.
    const between = looks
      .map(({ time }) => time)
      .filter((time) => time >= timeAt(0.5) && time < timeAt(1.5));
    expect(gone).toEqual(between);
    expect(vanished.data).toMatchObject({
      ...{
        listed: false,
        delinquent: true,
        activeStake: { lamports: "0", sol: 0 },
        inValidatorSet: false,
      },
      lastSeenAt: new Date(timeAt(0.35) - MINUTE).toISOString(),
      delinquentSince: new Date(timeAt(0.5)).toISOString(),
    });
    const profile = await readDocument(stage, "validator", { votePubkey });
    expect(profile.data).toMatchObject({
      listed: true,
      lastSeenAt: null,
      firstSeenEpoch: FIRST_EPOCH,
    });
    for (const kind of ["commissionHistory", "stakeHistory"] as const) {
      const { data } = await readDocument(stage, kind, { votePubkey });
      expect(data.map(({ epoch }) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it("names are clean, whatever was written on chain, and signed for", async () => {
    const { data } = await readDocument(story().stage, "validators", {});
    const names = data.flatMap(({ name }) => name ?? []);
    const isUnclean = (name: string) =>
      UNSEEN.test(name) || name.trim() !== name || Array.from(name).length > 80;
    expect(names.filter(isUnclean)).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(["Right ot tfeL Stake", "Bell and Null", "ZeroWidth Node"]),
    );
    expect(
      data.filter(({ name, website }) => /impostor|official/i.test(`${name} ${website}`)),
    ).toEqual([]);
  });
}
