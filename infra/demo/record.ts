import { NETWORKS } from "../../generator/contract/networks.ts";
import { record } from "./recorder.ts";
import { writeRecording } from "./recording.ts";

// After a change of the script, of the simulated cluster, or of what is journaled.
for (const network of NETWORKS) await writeRecording(network, await record(network));
