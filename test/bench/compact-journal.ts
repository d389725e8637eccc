import { openJournal } from "../../generator/journal/journal.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

// `node test/bench/compact-journal.ts DIRECTORY TIME`: does what is due in the journal of a state store at a time, in
// milliseconds since 1970, and says how long that took and what was done.

const [directory = "", time = ""] = process.argv.slice(2);
const journal = openJournal({ store: openFileStore(directory), network: PLANNED_CLUSTER.network, series: 1 });
const beganAt = performance.now();
const compacted = await journal.compact({ now: Number(time) });
process.stdout.write(JSON.stringify({ ...compacted, seconds: (performance.now() - beganAt) / 1000 }));
