import { beforeAll, describe, expect, it } from "vitest";
import { check, snapshot } from "../../generator/service/observing.ts";
import type { Validator } from "../../generator/contract/validator.ts";
import { openStore } from "../../generator/store/open.ts";
import { HAS_RECORDED, OF_RECORDED } from "../observe/fixtures.ts";
import { readDocument, type Site } from "./documents.ts";
import { makeDirectory } from "../store/directory.ts";
import {
  recordingOf2020,
  recordingOf2026,
  startRecordedNode,
  toCommand,
  type Recording,
} from "./recorded-testnet.ts";

describe.skipIf(!HAS_RECORDED)(
  `answers recorded from testnet, through the whole generator${OF_RECORDED}`,
  () => {
    describe.each([
      { year: "2020", record: recordingOf2020 },
      { year: "2026", record: recordingOf2026 },
    ])("of $year", ({ record }) => {
      let recording: Recording;
      let site: Site;
      let listed: Validator[];
      const reports: { accepted: boolean | null; events: number; reasons: string[] }[] = [];

      beforeAll(async () => {
        recording = await record();
        const node = await startRecordedNode(recording.results);
        const { directory, remove } = await makeDirectory();
        const command = toCommand(node.url, directory);
        for (const take of [snapshot, check]) {
          const { accepted, events, rejected } = await take(command);
          reports.push({ accepted, events, reasons: rejected.map(({ reason }) => reason) });
          await command.clock.sleepUntil(command.clock.now() + 60_000);
        }
        site = { publicStore: openStore(command.settings.publicStore), network: "testnet" };
        listed = (await readDocument(site, "index", {})).validators;
        return () => Promise.all([node.close(), remove()]);
      });

      it("accepts the recording, and refuses it when the same node repeats it", () => {
        expect(reports[0]).toEqual({ accepted: true, events: 0, reasons: [] });
        const reason = `slot ${recording.slot} is not above ${recording.slot}, the last accepted one`;
        expect(reports[1]).toEqual({ accepted: false, events: 0, reasons: [reason] });
      });

      it("lists every vote account by stake, exact to the lamport", () => {
        const expected = recording.rows
          .toSorted((a, b) =>
            a.stake === b.stake ? (a.vote < b.vote ? -1 : 1) : a.stake > b.stake ? -1 : 1,
          )
          .map(({ vote: votePubkey, identity: identityPubkey, stake, delinquent }, index) => {
            const activeStake = { lamports: String(stake) };
            return { votePubkey, identityPubkey, rank: index + 1, activeStake, delinquent };
          });
        expect(listed).toMatchObject(expected);
      });

      it("publishes every commission as recorded, capped as the runtime does", () => {
        const recorded = new Map(
          recording.rows.map(({ vote, commissionPercent }) => [vote, commissionPercent]),
        );
        for (const { votePubkey, commission } of listed)
          expect(commission).toBe(Math.min(recorded.get(votePubkey) ?? NaN, 100));
      });

      it("publishes a version of every node whose gossip gives one that can be read", () => {
        const readable = /^\d+\.\d+\.\d+(?:-[\dA-Za-z.]+)?(?: .*)?$/;
        for (const { identityPubkey, version } of listed) {
          const gossiped = recording.versions.get(identityPubkey ?? "") ?? null;
          expect(version).toBe(
            gossiped !== null && readable.test(gossiped) ? gossiped.replace(/ .*$/, "") : null,
          );
        }
        expect(listed.filter(({ version }) => version !== null).length).toBeGreaterThan(
          listed.length / 2,
        );
      });

      it("has no event, no rug and no share of stake that does not add up", async () => {
        expect((await readDocument(site, "events", {})).data).toEqual([]);
        const total = recording.rows.reduce((sum, { stake }) => sum + stake, 0n);
        expect(
          listed.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n),
        ).toBe(total);
        const shares = listed.reduce((sum, { stakePercent }) => sum + stakePercent, 0);
        expect(Math.abs(shares - 100)).toBeLessThan(listed.length * 0.00005);
      });

      it("says which sources this node does not have, and that it stands still", async () => {
        const { sources } = (await readDocument(site, "status", {})).data;
        const states = Object.fromEntries(sources.map(({ name, state }) => [name, state]));
        expect(states).toEqual({
          ...{
            votes: "degraded",
            nodes: "ok",
            info: "failed",
            production: "failed",
            stakeAccounts: "failed",
          },
          ...{ mev: "failed", locations: "off", issuance: "failed", witnesses: "ok" },
        });
      });
    });
  },
);
