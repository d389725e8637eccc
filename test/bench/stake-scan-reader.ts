import { readEpochInfo } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { readStakeAccounts } from "../../generator/observe/stakes/stake-accounts.ts";
import { readVoteAccounts } from "../../generator/observe/vote-accounts.ts";

const rpc = createRpc({ endpoints: [process.argv[2] ?? ""], now: () => performance.now() });
const readers = rpc.endpoints.map((endpoint) => endpoint.until(performance.now() + 90_000));
const [reader] = readers;
if (reader === undefined) throw new Error("no endpoint was given");
const { rows } = await readVoteAccounts(reader);
const { epoch } = await readEpochInfo(reader);

const beganAt = performance.now();
const { rows: sums } = await readStakeAccounts(readers, { rows, epoch });
const seconds = (performance.now() - beganAt) / 1000;

await rpc.close();
if (sums.every(([, , , count]) => count === 0)) throw new Error("no stake account was counted");
process.stdout.write(String(seconds));
