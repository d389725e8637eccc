import { Counter, type Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import { fromObjectKey } from "../../contract/objects.ts";
import type { ObjectStore } from "../../store/store.ts";
import type { NetworkWatch } from "../watch.ts";

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

type Operation = "put" | "get" | "head" | "list" | "delete";

/**
 * Counts operations on the stores and their outcomes.
 * @param onPublished receives each status that was put: it is the last object of a publication
 */
export function createStoreWatch(registry: Registry, onPublished: (network: Network) => void) {
  const operations = new Counter({
    name: "rugwatch_store_operations_total",
    help: "What was asked of a store (public, state), by operation and outcome: done, failed, or conflict where what was to be made anew was there.",
    labelNames: ["network", "store", "operation", "outcome"],
    registers: [registry],
  });
  const writes = new Counter({
    name: "rugwatch_store_writes_total",
    help: "Objects written, by kind: of the public store those of the API, of the state store its folders.",
    labelNames: ["network", "store", "kind"],
    registers: [registry],
  });
  const bytes = new Counter({
    name: "rugwatch_store_written_bytes_total",
    help: "Bytes of the objects written, by kind.",
    labelNames: ["network", "store", "kind"],
    registers: [registry],
  });

  return (network: Network): NetworkWatch["watchStore"] =>
    (store, role): ObjectStore => {
      const count = (operation: Operation, outcome: "done" | "failed" | "conflict") =>
        operations.inc({ network, store: role, operation, outcome });
      async function counted<Done>(operation: Exclude<Operation, "put">, work: () => Promise<Done>): Promise<Done> {
        try {
          const done = await work();
          count(operation, "done");
          return done;
        } catch (error) {
          count(operation, "failed");
          throw error;
        }
      }

      return {
        name: store.name,
        async put(key, body, options) {
          try {
            const written = await store.put(key, body, options);
            count("put", written === null ? "conflict" : "done");
            if (written !== null) tellWritten(key, body);
            return written;
          } catch (error) {
            count("put", "failed");
            throw error;
          }
        },
        get: (key) => counted("get", () => store.get(key)),
        getIfChanged: (key, knownEtag) => counted("get", () => store.getIfChanged(key, knownEtag)),
        head: (key) => counted("head", () => store.head(key)),
        delete: (key) => counted("delete", () => store.delete(key)),
        async *list(prefix, options) {
          try {
            yield* store.list(prefix, options);
            count("list", "done");
          } catch (error) {
            count("list", "failed");
            throw error;
          }
        },
      };

      function tellWritten(key: string, body: Uint8Array): void {
        const kind = role === "public" ? (fromObjectKey(network, key)?.kind ?? "other") : toStateKind(key);
        writes.inc({ network, store: role, kind });
        bytes.inc({ network, store: role, kind }, body.byteLength);
        if (kind === "status") onPublished(network);
      }
    };
}

function toStateKind(key: string): string {
  const folder = key.slice(0, key.indexOf("/"));
  return STATE_FOLDERS.has(folder) ? folder : "other";
}
