import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../../generator/service/report.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { readDocument } from "../../service/documents.ts";
import { FIRST_EPOCH, MINUTE, openStage, timeAt, type Stage, type StageOptions } from "../../service/harness.ts";
import { readEvents, tellEvent, tellPlanned } from "../../service/planned-events.ts";
import { findDifferences } from "./staging.ts";

// One story, watched with the MEV vendor's API, with an API that fails for two epochs, and without any: what is published
// of it must be the same.

const END = 4.5;
/** Four an epoch are enough for what is fixed within it; a vendor that fails is asked three times by each. */
const SNAPSHOTS_ONLY = { checkMilliseconds: 30 * MINUTE, snapshotMilliseconds: 30 * MINUTE };
const OUTAGE: [number, number] = [FIRST_EPOCH + 1, FIRST_EPOCH + 2];

interface Watched {
  stage: Stage;
  reports: Report[];
  /** What the status said of the MEV source after each observation. */
  states: { epoch: number | null; snapshotAt: string | null; mev: Status["sources"][number] }[];
}

const NAMES = ["up", "down", "none"] as const;
type Way = (typeof NAMES)[number];

const watched: Partial<Record<Way, Watched>> = {};

async function watch(options: StageOptions, change: (stage: Stage) => void = () => undefined): Promise<Watched> {
  const stage = await openStage(options);
  change(stage);
  const states: Watched["states"] = [];
  const reports: Report[] = [];
  for (let position = 0; position < END; position += 0.5) {
    const until = timeAt(Math.min(position + 0.5, END));
    reports.push(...(await stage.play({ until, cadence: SNAPSHOTS_ONLY })));
    const { data } = await readDocument(stage, "status", {});
    const mev = data.sources.find(({ name }) => name === "mev")!;
    states.push({ epoch: data.epoch, snapshotAt: data.snapshotAt, mev });
  }
  return { stage, reports, states };
}

function of(name: Way): Watched {
  const one = watched[name];
  if (one === undefined) throw new Error(`the story ${name} was not watched`);
  return one;
}

beforeAll(async () => {
  watched.up = await watch({});
  watched.down = await watch({ story: { mevOutageEpochs: OUTAGE } });
  watched.none = await watch({}, ({ command }) => {
    command.settings = { ...command.settings, mevUrls: { ...command.settings.mevUrls, mainnet: null } };
  });
});

afterAll(() => Promise.all(Object.values(watched).map(({ stage }) => stage.close())));

/** Those whose vote account is always on chain. */
function membersOf(name: Way) {
  return of(name).stage.cluster.members.filter(({ life }) => life.role === "normal");
}

async function readMevFacts(stage: Stage, votePubkey: string) {
  const { data: history } = await readDocument(stage, "commissionHistory", { votePubkey });
  const { data: profile } = await readDocument(stage, "validator", { votePubkey });
  const { mevVendorEnabled, batchVendorEnabled, mev } = profile;
  return {
    history: history.map(({ epoch, mevCommission }) => ({ epoch, mevCommission })),
    mevVendorEnabled,
    batchVendorEnabled,
    mevCommission: mev.mevCommission,
    priorityFeeCommission: mev.priorityFeeCommission,
  };
}

describe("while the MEV vendor's API fails for two epochs, or is not to be asked", () => {
  it("every observation is accepted", () => {
    for (const { reports } of Object.values(watched)) {
      expect(reports.length).toBeGreaterThan(15);
      expect(reports.filter(({ accepted }) => accepted !== true)).toEqual([]);
    }
  });

  it("the MEV events are those of the story, disabled ones among them, as with the vendor", async () => {
    const { stage } = of("up");
    const planned = stage.cluster
      .plannedChanges(FIRST_EPOCH + 4)
      .filter(
        ({ source, toBasisPoints, epoch }) => source === "MEV" && (toBasisPoints !== null || epoch < FIRST_EPOCH + 4),
      )
      .map(tellPlanned)
      .sort();
    for (const name of NAMES)
      expect((await readEvents(of(name).stage, "MEV")).map(tellEvent).sort(), name).toEqual(planned);
  });

  it("each event has the same time and slots", async () => {
    const bounds = async (name: Way) =>
      (await readEvents(of(name).stage, "MEV"))
        .map(({ id, createdAt, slot, epoch, effectiveEpoch }) => ({ id, createdAt, slot, epoch, effectiveEpoch }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    const expected = await bounds("up");
    expect(await bounds("down")).toEqual(expected);
    expect(await bounds("none")).toEqual(expected);
  });

  it("the histories and the profiles say the same of MEV", async () => {
    for (const { vote } of membersOf("up")) {
      const [up, down, none] = await Promise.all(NAMES.map((name) => readMevFacts(of(name).stage, vote.address)));
      expect(down, vote.address).toEqual(up);
      // The client's number tells less of the batch vendor than the vendor does.
      expect({ ...none, batchVendorEnabled: up?.batchVendorEnabled }, vote.address).toEqual(up);
    }
  });

  it("the chain tells of which epoch the record is that a profile shows", async () => {
    const { stage } = of("none");
    let older = 0;
    for (const member of membersOf("none")) {
      const { data } = await readDocument(stage, "validator", { votePubkey: member.vote.address });
      if (!data.mevVendorEnabled) continue;
      const newest = [4, 3].find((ordinal) => stage.cluster.mev.basisPointsOf(member, ordinal) !== null) ?? 0;
      expect(data.mev.epoch).toBe(FIRST_EPOCH + newest);
      if (newest === 3) older += 1;
    }
    expect(older).toBeGreaterThan(0);
  });

  it("the source is degraded, for the vendor's reason, and yet fresh", () => {
    const { states } = of("down");
    const isOut = ({ epoch }: { epoch: number | null }) => epoch !== null && epoch >= OUTAGE[0] && epoch <= OUTAGE[1];
    expect(states.filter(isOut).length).toBeGreaterThan(2);
    for (const { mev, snapshotAt, ...at } of states) {
      expect(mev.state).toBe(isOut(at) ? "degraded" : "ok");
      expect(mev.lastSuccessAt).toBe(snapshotAt);
      if (isOut(at)) expect(mev.reason).toContain("HTTP status 500");
    }
  });

  it("the source is ok where the chain alone is to be asked", () => {
    expect(of("none").states.filter(({ mev }) => mev.state !== "ok" || mev.reason !== null)).toEqual([]);
  });

  it("the journal tells it again as it was published", async () => {
    expect(await findDifferences(of("down").stage)).toEqual([]);
  });
});
