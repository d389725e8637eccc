import { openJournal } from "../../../generator/journal/journal.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { after } from "../../journal/rows.ts";

/* Appends its own entries to the journal of a bucket until
   it is killed. One line for each that was acknowledged. */

const PACKS_EVERY = 20;

const [address = "", endpoint = "", who = ""] = process.argv.slice(2);
const journal = openJournal({
  store: openS3Store(address, { endpoint }),
  network: "mainnet",
  series: 1,
});
for (let index = 0; ; index += 1) {
  const name = await journal.append({ ...after(index), endpoint: `https://${who}.example#0` });
  process.stdout.write(`${name} ${index}\n`);
  if (index % PACKS_EVERY === 0) await journal.pack();
}
