import { Counter, type Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import { fromObjectKey } from "../../contract/object-keys.ts";
import type { NetworkInstrumentation } from "../instrumentation.ts";

const STATE_FOLDERS: ReadonlySet<string> = new Set([
  "journal",
  "backdated",
  "series",
  "checkpoints",
  "rebuild",
  "manifest",
  "lease",
  "quarantine",
  "wallets",
  "alerts",
]);

/** Counts what is asked of the stores, and what is written to them. */
export function createStoreWatch(registry: Registry) {
  const operations = new Counter({
    name: "rugwatch_store_operations_total",
    help:
      "What was asked of a store (public, state), by operation and outcome: done, failed, or " +
      "conflict where what was to be made anew was there.",
    labelNames: ["network", "store", "operation", "outcome"],
    registers: [registry],
  });
  const writes = new Counter({
    name: "rugwatch_store_writes_total",
    help:
      "Objects written, by kind: of the public store those of the API, of the state store its " +
      "folders.",
    labelNames: ["network", "store", "kind"],
    registers: [registry],
  });
  const bytes = new Counter({
    name: "rugwatch_store_written_bytes_total",
    help: "Bytes of the objects written, by kind.",
    labelNames: ["network", "store", "kind"],
    registers: [registry],
  });

  return (network: Network): NetworkInstrumentation["onStoreOperation"] =>
    (store, { operation, outcome, key, bytes: length }) => {
      operations.inc({ network, store, operation, outcome });
      if (operation !== "put" || outcome !== "done") return;
      const kind =
        store === "public" ? (fromObjectKey(network, key)?.kind ?? "other") : toStateKind(key);
      writes.inc({ network, store, kind });
      bytes.inc({ network, store, kind }, length);
    };
}

function toStateKind(key: string): string {
  const folder = key.slice(0, key.indexOf("/"));
  return STATE_FOLDERS.has(folder) ? folder : "other";
}
