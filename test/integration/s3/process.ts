import { createRequire } from "node:module";
import { openStore } from "../../../generator/store/open.ts";
import { openS3Store } from "../../../generator/store/s3.ts";

/** An idle connection would hold it for five seconds. */
const SOON_MILLISECONDS = 2_000;

const modules = createRequire(import.meta.url).cache;
const isLoaded = () => Object.keys(modules).some((path) => path.includes("@aws-sdk/client-s3"));

openStore("file:anywhere");
const store = openS3Store("s3://bucket/some/prefix", {
  endpoint: String(process.argv[2]),
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
process.send?.({ isLoaded: isLoaded(), after: "open" });
await store.put("a", new TextEncoder().encode("{}"), {
  expect: "absent",
  contentType: "application/json",
});
process.send?.({ isLoaded: isLoaded(), after: "put" });
await Promise.all([store.get("a"), store.head("a"), Array.fromAsync(store.list(""))]);
const doneAt = performance.now();
// The channel to the parent would keep the process alive.
process.channel?.unref();
process.on("exit", () =>
  process.send?.({ endedInTime: performance.now() - doneAt < SOON_MILLISECONDS }),
);
