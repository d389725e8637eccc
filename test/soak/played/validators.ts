import { describe, expect, it } from "vitest";
import type { Member } from "../../../infra/demo/cluster/chain/cast.ts";
import { SITES } from "../../../infra/demo/cluster/chain/nodes.ts";
import { findDocument, readDocument } from "../../service/documents.ts";
import { FIRST_EPOCH, MINUTE, timeAt, type Stage } from "../../service/harness.ts";
import { voteOf, type PlayedStory } from "./play.ts";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

export function describeValidators(story: () => PlayedStory): void {
  it("stakes are exact to the lamport, also above 2^53", async () => {
    const { stage } = story();
    const { ordinal } = stage.cluster.at(stage.clock.now()).moment;
    const { data, meta } = await readDocument(stage, "validators", {});
    let total = 0n;
    for (const { votePubkey, activeStake, activatingStake, deactivatingStake } of data) {
      const { active, activating, deactivating } = stage.cluster.stakes.of(memberOf(stage, votePubkey), ordinal);
      const stakes = [activeStake, activatingStake, deactivatingStake].map(({ lamports }) => BigInt(lamports));
      expect(stakes).toEqual([active, activating, deactivating]);
      total += active;
    }
    expect(BigInt(data[0]?.activeStake.lamports ?? 0)).toBeGreaterThan(2n ** 53n);
    expect(meta).toMatchObject({ total: data.length, networkStake: { lamports: String(total) } });
    expect(data.map(({ rank }) => rank)).toEqual(data.map((_, index) => index + 1));
  });

  describe("a validator that vanishes", () => {
    it("leaves the list after the second snapshot without it, and comes back with the first that has it", () => {
      const { stage, looks } = story();
      const vote = voteOf(stage, "vanisher");
      const listed = looks.filter((look) => look.listed.has(vote)).map(({ time }) => time);
      const gone = looks.filter((look) => !look.listed.has(vote)).map(({ time }) => time);
      // Gone from 0.35 to 1.5, minutes 42 to 180: absent at minutes 50 and 60.
      expect([gone.at(0), gone.at(-1)]).toEqual([timeAt(0.5), timeAt(1.5) - MINUTE]);
      expect(listed.filter((time) => time > (gone.at(0) ?? 0) && time < (gone.at(-1) ?? 0))).toEqual([]);
    });

    it("keeps its profile meanwhile, without stake and delinquent, and has its histories when it is back", async () => {
      const { stage, vanished } = story();
      expect(vanished.data).toMatchObject({
        listed: false,
        delinquent: true,
        activeStake: { lamports: "0", sol: 0 },
        inValidatorSet: false,
        lastSeenAt: new Date(timeAt(0.35) - MINUTE).toISOString(),
        delinquentSince: new Date(timeAt(0.5)).toISOString(),
      });
      const names = { votePubkey: voteOf(stage, "vanisher") };
      const profile = await readDocument(stage, "validator", names);
      expect(profile.data).toMatchObject({ listed: true, lastSeenAt: null, firstSeenEpoch: FIRST_EPOCH });
      const { data: commissions } = await readDocument(stage, "commissionHistory", names);
      const { data: stakes } = await readDocument(stage, "stakeHistory", names);
      for (const points of [commissions, stakes])
        expect(points.map(({ epoch }) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2, 3, 4]);
      const { stakes: truth } = stage.cluster;
      const member = memberOf(stage, names.votePubkey);
      expect(stakes.at(-1)?.activeStake.lamports).toBe(String(truth.of(member, 4).active));
    });
  });

  it("a validator that is new is listed from its first snapshot on, and pays by its first rate", async () => {
    const { stage, looks, ledger } = story();
    const votePubkey = voteOf(stage, "newborn");
    const first = looks.find(({ listed }) => listed.has(votePubkey));
    expect(first?.time).toBe(timeAt(1.25));
    const { firstEpoch } = ledger.validators.find(({ vote }) => vote === votePubkey) ?? {};
    expect(firstEpoch).toBe(FIRST_EPOCH + 1);
    const { data } = await readDocument(stage, "commissionHistory", { votePubkey });
    expect(data.map(({ epoch }) => epoch - FIRST_EPOCH)).toEqual([1, 2, 3, 4]);
    expect(data.map(({ appliedCommission }) => appliedCommission)).toEqual(data.map(({ commission }) => commission));
    const stakes = await readDocument(stage, "stakeHistory", { votePubkey });
    expect(stakes.data.map(({ activeStake }) => activeStake.lamports === "0")).toEqual([true, false, false, false]);
  });

  it("locations are recorded when a node moves to another place, and for nobody else", async () => {
    const { stage } = story();
    let moves = 0;
    for (const member of stage.cluster.members) {
      const document = await findDocument(stage, "location", { votePubkey: member.vote.address });
      const changes = document?.data.changes ?? [];
      const expected = movesOf(story(), member);
      expect(changes.map(({ previousCity, city, detectedAt }) => [previousCity, city, detectedAt])).toEqual(expected);
      moves += expected.length;
      if (member.node.role !== "mover") expect(expected).toEqual([]);
    }
    expect(moves).toBeGreaterThan(4);
  });

  it("names are clean, whatever was written on chain, signed for, and come with addresses that are safe to follow", async () => {
    const { data } = await readDocument(story().stage, "validators", {});
    const names = data.flatMap(({ name }) => name ?? []);
    const isUnclean = (name: string) => UNSEEN.test(name) || name.trim() !== name || Array.from(name).length > 80;
    expect(names.filter(isUnclean)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["Right ot tfeL Stake", "Bell and Null", "ZeroWidth Node"]));
    expect(names.length).toBeGreaterThan(20);
    expect(data.filter(({ name, website }) => /impostor|official/i.test(`${name} ${website}`))).toEqual([]);
    const addresses = data.flatMap(({ website, iconUrl }) => [website ?? [], iconUrl ?? []].flat());
    for (const url of addresses.map((address) => new URL(address)))
      expect([/^https?:$/.test(url.protocol), url.username + url.password]).toEqual([true, ""]);
    expect(data.filter(({ iconUrl }) => iconUrl !== null && !iconUrl.startsWith("https:"))).toEqual([]);
  });

  it("identities are followed when a validator changes its own", async () => {
    const { stage, looks } = story();
    const { data } = await readDocument(stage, "validators", {});
    const shown = new Map(data.map(({ votePubkey, identityPubkey }) => [votePubkey, identityPubkey]));
    const snapshot = looks.findLast(({ report }) => report.command === "snapshot")?.time ?? 0;
    const renamers = stage.cluster.members.filter(({ node }) => node.role === "renamer");
    const { moment } = stage.cluster.at(snapshot);
    for (const member of renamers) {
      expect(shown.get(member.vote.address)).toBe(stage.cluster.nodes.identityAt(member, moment).address);
    }
    const identities = looks.map(({ time }) =>
      renamers.map((member) => stage.cluster.nodes.identityAt(member, stage.cluster.at(time).moment).address),
    );
    expect(new Set(identities.flat()).size).toBeGreaterThan(renamers.length);
  });
}

function memberOf({ cluster }: Stage, vote: string): Member {
  const member = cluster.members.find((one) => one.vote.address === vote);
  if (member === undefined) throw new Error(`${vote} is not in the cast`);
  return member;
}

function movesOf({ stage, looks }: PlayedStory, member: Member): [from: string, to: string, at: string][] {
  const moves: [string, string, string][] = [];
  let city: string | null = null;
  for (const { time } of looks.filter(({ report }) => report.command === "snapshot")) {
    const ip = stage.cluster.nodes.nodeAt(member, stage.cluster.at(time).moment)?.ip;
    const found = ip === undefined ? null : cityOf(ip);
    if (found === null) continue;
    if (city !== null && city !== found) moves.unshift([city, found, new Date(time).toISOString()]);
    city = found;
  }
  return moves;
}

function cityOf(ip: string): string | null {
  const [, site = "0"] = /^11\.(\d+)\./.exec(ip) ?? [];
  return SITES[Number(site) - 1]?.city ?? null;
}
