import { expect, it } from "vitest";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { record } from "../../../infra/demo/recorder.ts";
import { fromRecording, readRecording, RECORDED_FROM } from "../../../infra/demo/recording.ts";

const STAGE = {
  startsAt: RECORDED_FROM,
  rpcUrls: ["http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3"],
};

it.each(NETWORKS)(
  "the recording of %s is what npx node infra/demo/record.ts makes now",
  async (network) => {
    const [made, stored] = await Promise.all(
      [await record(network), await readRecording(network)].map((one) => fromRecording(one, STAGE)),
    );
    expect(stored!.length).toBeGreaterThan(100);
    expect(made).toEqual(stored);
  },
);
