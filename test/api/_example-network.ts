import { readSettings } from "../../proxy/settings.ts";
import { startServer } from "../../proxy/server.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { MINUTE, openStage, timeAt } from "../service/harness.ts";

/**
 * The story in which Cobalt Labs rugs in every epoch, and
 * moves from town to town: PARAMETERS has its vote account.
 */
const STORY = { seed: 2, validators: 14 };
const EPOCHS = 4;
const CADENCE = { checkMilliseconds: 15 * MINUTE, snapshotMilliseconds: 30 * MINUTE };

/**
 * Plays the network that the examples of the API's description
 * are answers of, and listens. Equal at every call.
 */
export async function openExampleNetwork() {
  const stage = await openStage(STORY);
  await stage.play({ until: timeAt(EPOCHS - 0.2), cadence: CADENCE, publishes: false });
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.2));
  await snapshot(stage.command);
  // Its changes are searched once nodes list them.
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.17));
  await snapshot(stage.command);
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.15));
  const { publicStore, rpcUrls } = stage.command.settings;
  const server = await startServer({
    settings: {
      ...readSettings({ PORT: "0", RATE_LIMIT_PER_MINUTE: "1000" }),
      publicStore,
      rpcUrls,
    },
    objects: stage.publicStore,
    now: stage.clock.now,
    log: ({ level, message }) => {
      if (level === "error") throw new Error(message);
    },
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      await stage.close();
    },
  };
}
