import { snapshot, check } from "../../generator/service/observing.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { OBJECTS, toObjectKey } from "../../generator/contract/objects.ts";
import { openStore } from "../../generator/store/open.ts";
import { openStage, timeAt } from "../service/harness.ts";
import { readSite, type Site } from "../service/documents.ts";
import {
  recordingOf2020,
  recordingOf2026,
  startRecordedNode,
  toCommand,
  type Recording,
} from "../service/recorded-testnet.ts";
import { tellStory } from "../soak/story.ts";
import { play } from "../soak/witnesses/play.ts";
import { drawScenario } from "../soak/witnesses/scenario.ts";
import { makeDirectory } from "../store/directory.ts";

/** Documents by key, as text. */
export type Published = Record<string, string>;

const LIARS_MINUTES_MOST = 180;
const STORY_EPOCHS = 4.2;

/**
 * Plays a world from what nodes answer to what is published.
 * @param world `liars-SEED`, `story-SEED`, `crashes`, `recorded-2020` or `recorded-2026`
 * @throws {RangeError} for another name
 */
export async function playWorld(world: string): Promise<Published> {
  const [kind = "", which = ""] = world.split("-");
  if (kind === "liars") return playLiars(Number(which));
  if (kind === "story") return playStory(Number(which));
  if (kind === "crashes") return playCrashes();
  if (world === "recorded-2020") return playRecorded(await recordingOf2020());
  if (world === "recorded-2026") return playRecorded(await recordingOf2026());
  throw new RangeError(`${world} is no world: liars-SEED, story-SEED, crashes, recorded-2020, recorded-2026`);
}

/** With a document of our own: when each event was first published. */
async function playLiars(seed: number): Promise<Published> {
  const { record } = await play(drawScenario(seed, { minutesMost: LIARS_MINUTES_MOST }));
  const { ledger, events } = record;
  if (ledger === null) throw new Error(`nothing was observed in the liars' story ${seed}`);
  const { render } = createRenderer(ledger);
  const documents = allReferences(ledger)
    .filter(({ kind }) => OBJECTS[kind].form !== "parquet")
    .flatMap((reference) => {
      const bytes = render(reference);
      const key = toObjectKey(ledger.network, reference.kind, reference.names);
      return bytes === null ? [] : [[key, new TextDecoder().decode(bytes)] as const];
    });
  const firstSeen = events.map(({ at, event: { id } }) => ({ id, at: new Date(at).toISOString() }));
  return { ...Object.fromEntries(documents), "first-seen.json": JSON.stringify({ data: firstSeen }) };
}

async function playStory(seed: number): Promise<Published> {
  const stage = await openStage({ seed });
  try {
    await stage.play({ until: timeAt(STORY_EPOCHS) });
    return await readAll(stage);
  } finally {
    await stage.close();
  }
}

/** The crash stories end with the bytes of this one, which nothing disturbs. */
async function playCrashes(): Promise<Published> {
  const { before } = await tellStory();
  const end = before.at(-1);
  if (end === undefined) throw new Error("the story has no end");
  return readAll({ publicStore: end.publicStore, network: "mainnet" });
}

async function playRecorded({ results }: Recording): Promise<Published> {
  const node = await startRecordedNode(results);
  const { directory, remove } = await makeDirectory();
  try {
    const command = toCommand(node.url, directory);
    for (const take of [snapshot, check]) {
      await take(command);
      await command.clock.sleepUntil(command.clock.now() + 60_000);
    }
    return await readAll({ publicStore: openStore(command.settings.publicStore), network: "testnet" });
  } finally {
    await Promise.all([node.close(), remove()]);
  }
}

async function readAll(site: Site): Promise<Published> {
  const documents = await readSite(site);
  return Object.fromEntries([...documents].filter(([key]) => !key.endsWith(".parquet")));
}
