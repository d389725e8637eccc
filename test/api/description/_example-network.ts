import { publish } from "../../../generator/service/publish.ts";
import { readSettings } from "../../../proxy/config.ts";
import { startServer } from "../../../proxy/server.ts";
import { MINUTE, openStage, timeAt } from "../../service/harness.ts";

/** A proxy that listens over what was published of a small simulated network. */
export interface ExampleNetwork {
  /** Without a slash behind it. */
  url: string;
  close: () => Promise<void>;
}

/** The story in which Cobalt Labs rugs in every epoch, and moves from town to town: PARAMETERS has its vote account. */
const STORY = { seed: 2, validators: 14 };
const EPOCHS = 4;
const CADENCE = { checkMilliseconds: 15 * MINUTE, snapshotMilliseconds: 30 * MINUTE };

/** Plays the network that the examples of the API's description are answers of, and listens. Equal at every call. */
export async function openExampleNetwork(): Promise<ExampleNetwork> {
  const stage = await openStage(STORY);
  await stage.play({ until: timeAt(EPOCHS - 0.2), cadence: CADENCE, publishes: false });
  await publish(stage.command);
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.15));
  const { publicStore, rpcUrls } = stage.command.settings;
  const server = await startServer({
    settings: { ...readSettings({ PORT: "0" }), publicStore, rpcUrls },
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
