import { readEpochInfo } from "../../generator/rpc/epoch.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import { readStakeAccounts } from "../../generator/observe/stakes/stake-accounts.ts";
import { readVoteAccounts } from "../../generator/observe/vote-accounts.ts";
import { createReport } from "../../generator/service/report.ts";
import { openWalletIndex } from "../../generator/service/wallets/wallet-index.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { openStore } from "../../generator/store/open.ts";

// Arguments: URL DIRECTORY EPOCHS_LATER.

const [url = "", directory = "", epochsLater = "0"] = process.argv.slice(2);
const rpc = createRpc({ endpoints: [url], now: () => performance.now() });
const readers = rpc.endpoints.map((endpoint) => endpoint.until(performance.now() + 90_000));
const [reader] = readers;
if (reader === undefined) throw new Error("no endpoint was given");
const { rows, slot } = await readVoteAccounts(reader);
const { epoch } = await readEpochInfo(reader);

const beganAt = performance.now();
const { records } = await readStakeAccounts(readers, { rows, epoch, withRecords: true });
const scannedAt = performance.now();
await rpc.close();
if (records === null || records.count() === 0) throw new Error("no stake account was kept");

const clock = { now: () => performance.now(), timer: () => performance.now() };
const { store, counts } = countOperations(openStore(`file:${directory}/public`));
const stateStore = openStore(`file:${directory}/state`);
const index = openWalletIndex({
  network: "mainnet",
  series: 1,
  publicStore: store,
  stateStore,
  clock,
  holder: "bench",
});
const report = createReport("snapshot", "mainnet");
index.hold(records, {
  network: "mainnet",
  epoch: epoch + Number(epochsLater),
  slot,
  asOf: new Date(0).toISOString(),
});
const heldAt = performance.now();
await index.write(report);
if (!/ in [\d,]+ objects$/.test(report.upkeep[0] ?? "")) throw new Error(report.upkeep.join("; "));

process.stdout.write(
  JSON.stringify({
    scanSeconds: (scannedAt - beganAt) / 1000,
    sortSeconds: (heldAt - scannedAt) / 1000,
    writeSeconds: (performance.now() - heldAt) / 1000,
    accounts: records.count(),
    puts: counts.puts,
    bytes: counts.bytes,
    told: report.upkeep[0],
  }),
);
