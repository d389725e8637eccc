import { describe, expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { OPERATIONS, type Operation } from "../../generator/contract/operations.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { fromObjectKey, OBJECTS } from "../../generator/contract/objects.ts";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import { PARAMETERS, type Parameter, type ParameterKey } from "../../generator/contract/parameters.ts";
import { findDocument, readSite } from "../service/documents.ts";
import { readAnswer, readError, type Api } from "./_api.ts";

// Every operation of the contract with every parameter: at its bounds, at its default, outside of them. What the answers
// say is for the files beside this one.

const ALL: [name: string, operation: Operation][] = Object.entries(OPERATIONS);
const WITH_NETWORK = ALL.filter(([, { parameters }]) => parameters.includes("network"));
const WITH_PUBKEY = ALL.filter(([, { parameters }]) => parameters.includes("votePubkey"));
const BY_NETWORK = WITH_NETWORK.flatMap(([name, operation]) =>
  NETWORKS.map((network) => ({ name, network, operation })),
);

/** Parameters of the query that an operation takes beside the network. */
function queryOf({ parameters }: Operation): Parameter[] {
  return parameters
    .filter((key: ParameterKey) => key !== "network")
    .map((key): Parameter => PARAMETERS[key])
    .filter((parameter) => parameter.in === "query");
}

/** A text that an operation needs, so that only what is tried can be wrong. */
const REQUIRED: Record<string, string> = { q: "va" };

/** The address of an operation for a validator that is located, and the newest epoch. */
function addressOf({ indexes }: Api, operation: Operation, network: Network, query: Record<string, string> = {}) {
  const { validators, latestEpoch } = indexes[network];
  const located = validators.find(({ location }) => location !== null);
  const path = operation.path
    .replace("{votePubkey}", located?.votePubkey ?? "")
    .replace("{epoch}", String(latestEpoch));
  const required = queryOf(operation).flatMap(({ name, required: needed }) =>
    needed ? [[name, REQUIRED[name] ?? ""]] : [],
  );
  const search = new URLSearchParams({
    network,
    ...(Object.fromEntries(required) as Record<string, string>),
    ...query,
  });
  return `${path}?${search.toString()}`;
}

/** Values of a parameter that are as good as any, and values that are none. */
function valuesOf({ name, min, max, values }: Parameter): { good: string[]; bad: string[] } {
  if (values !== undefined) return { good: [...values], bad: ["", "rug", `${values[0]} `, "1"] };
  const [least, most] = [min ?? 0, max ?? 0];
  if (name === "q") {
    return { good: ["ab", "  ab  ", "é!", "a".repeat(1000), "%_\\"], bad: ["", "a", "   a   "] };
  }
  const tooMuch = most === Number.MAX_SAFE_INTEGER ? "9007199254740992" : String(most + 1);
  return {
    good: [String(least), String(Math.min(most, least + 1)), String(most)],
    bad: [String(least - 1), tooMuch, "", "x", "1.5", "1e1", " 1", "+1", "01"],
  };
}

/** The address of a published object at the API; null: it is not one of its documents. */
function addressOfKey(network: Network, key: string): string | null {
  if (fromObjectKey(network, key)?.kind === "index") return null;
  const start = `api/v1/${network}/`;
  if (!key.startsWith(start)) return `/${key}`;
  return `/api/v1/${key.slice(start.length, -".json".length)}?network=${network}`;
}

const REFUSED = { network: "invalid_network", votePubkey: "invalid_pubkey" } as const;

export function describeOperations(api: () => Api): void {
  describe("its operations", () => {
    it.each(BY_NETWORK)("answers $name of $network as its schema says", async ({ operation, network }) => {
      const { request } = api();
      const response = await request(addressOf(api(), operation, network));
      await readAnswer(response, operation.document);
      expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES[operation.cache]);
      const etag = response.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      if (operation.operationId === "getEpoch") return;
      const again = await request(addressOf(api(), operation, network), { headers: { "if-none-match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    });

    it.each(NETWORKS)(
      "gives each published object of %s byte for byte, and every object has an address",
      async (network) => {
        const site = await readSite(api().stages[network]);
        const kinds = new Set<string>();
        for (const [key, text] of site) {
          const address = addressOfKey(network, key);
          if (address === null) continue;
          const response = await api().request(address);
          expect(response.status, address).toBe(200);
          expect(await response.text(), address).toBe(text);
          kinds.add(fromObjectKey(network, key)?.kind ?? key);
        }
        const made = ["epoch", "search", "openapi"];
        expect([...kinds, ...made].sort()).toEqual(Object.keys(OPERATIONS).sort());
        expect(site.size).toBeGreaterThan(70);
      },
    );

    it("describes itself", async () => {
      const response = await api().request(OPERATIONS.openapi.path);
      expect(await readAnswer(response, OPERATIONS.openapi.document)).toEqual(
        JSON.parse(JSON.stringify(openApiDocument())),
      );
    });

    it.each(WITH_NETWORK)("answers %s of mainnet where no network is named", async (_, operation) => {
      const address = addressOf(api(), operation, "mainnet");
      const [unnamed, named] = await Promise.all([
        api().request(address.replace("network=mainnet", "")),
        api().request(address),
      ]);
      expect(await unnamed.text()).toBe(await named.text());
    });

    it.each(WITH_NETWORK)("refuses any other network in %s", async (_, operation) => {
      for (const network of ["devnet", "", "Mainnet", "mainnet "]) {
        const response = await api().request(addressOf(api(), operation, "mainnet", { network }));
        expect(await readError(response, 400)).toBe("invalid_network");
      }
    });

    it.each(
      ALL.flatMap(([name, operation]) => queryOf(operation).map((parameter) => ({ name, operation, parameter }))),
    )(
      "takes $parameter.name of $name within its bounds, and refuses it outside of them",
      async ({ operation, parameter }) => {
        const { good, bad } = valuesOf(parameter);
        for (const value of good) {
          const response = await api().request(addressOf(api(), operation, "testnet", { [parameter.name]: value }));
          await readAnswer(response, operation.document);
        }
        for (const value of bad) {
          const response = await api().request(addressOf(api(), operation, "testnet", { [parameter.name]: value }));
          expect(await readError(response, 400)).toBe("invalid_parameter");
        }
      },
    );

    it.each(
      ALL.flatMap(([name, operation]) =>
        queryOf(operation)
          .filter((each) => each.default !== undefined)
          .map((parameter) => ({ name, operation, parameter })),
      ),
    )(
      "takes $parameter.name of $name for $parameter.default where it is left out",
      async ({ operation, parameter }) => {
        const given = { [parameter.name]: String(parameter.default) };
        const [unnamed, named] = await Promise.all([
          api().request(addressOf(api(), operation, "mainnet")),
          api().request(addressOf(api(), operation, "mainnet", given)),
        ]);
        expect(await named.text()).toBe(await unnamed.text());
      },
    );

    it.each(WITH_PUBKEY)("refuses what is no vote account in %s", async (_, operation) => {
      const bad = ["short", "0".repeat(40), "1".repeat(31), "z".repeat(44), "I".repeat(40), "a".repeat(45)];
      for (const votePubkey of bad) {
        const response = await api().request(operation.path.replace("{votePubkey}", votePubkey));
        expect(await readError(response, 400)).toBe(REFUSED.votePubkey);
      }
    });

    it("knows no validator by a key nobody has: its profile and place are missing, its lists are empty", async () => {
      const nobody = "11111111111111111111111111111111";
      expect(await findDocument(api().stages.mainnet, "validator", { votePubkey: nobody })).toBeNull();
      const answers = await Promise.all(
        WITH_PUBKEY.map(async ([name, { path }]) => {
          const response = await api().request(path.replace("{votePubkey}", nobody));
          const body = (await response.json()) as { data?: unknown; error?: { code: string } };
          return [name, response.status, body.error?.code ?? body.data];
        }),
      );
      expect(new Set(answers)).toEqual(
        new Set([
          ["validator", 404, "validator_not_found"],
          ["validatorEvents", 200, []],
          ["commissionHistory", 200, []],
          ["stakeHistory", 200, []],
          ["uptime", 200, []],
          ["location", 404, "location_not_found"],
        ]),
      );
    });

    it("knows a validator of one network by its key on that network only", async () => {
      const { validators } = api().indexes.testnet;
      const path = OPERATIONS.validator.path.replace("{votePubkey}", validators[0]?.votePubkey ?? "");
      await readAnswer(await api().request(`${path}?network=testnet`), OPERATIONS.validator.document);
      expect(await readError(await api().request(`${path}?network=mainnet`), 404)).toBe("validator_not_found");
    });

    it("answers epochs that have no rug, or were never watched, with an empty list", async () => {
      for (const epoch of ["0", "1059", "9007199254740991"]) {
        const response = await api().request(OPERATIONS.epochEvents.path.replace("{epoch}", epoch));
        const { data, meta } = await readAnswer(response, OBJECTS.epochEvents.schema);
        expect({ data, meta }).toEqual({
          data: [],
          meta: { network: "mainnet", epoch: Number(epoch), total: 0, uniqueValidators: 0 },
        });
      }
    });

    it.each(["-1", "01", "1.5", "x", "9007199254740992", "1e3"])("refuses the epoch %s", async (epoch) => {
      const response = await api().request(OPERATIONS.epochEvents.path.replace("{epoch}", epoch));
      expect(await readError(response, 400)).toBe("invalid_parameter");
    });
  });
}
