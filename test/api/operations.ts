import { describe, expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { fromObjectKey } from "../../generator/contract/objects.ts";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter, type ParameterKey } from "../../generator/contract/parameters.ts";
import { readSite } from "../service/documents.ts";
import { readAnswer, readError, type Api } from "./_api.ts";

const ALL: { name: string; operation: Operation }[] = Object.entries(OPERATIONS).map(([name, operation]) => ({
  name,
  operation,
}));
const having = (key: ParameterKey) => ALL.filter(({ operation }) => operation.parameters.includes(key));
const BY_NETWORK = having("network").flatMap((row) => NETWORKS.map((network) => ({ ...row, network })));
const BY_PARAMETER = ALL.flatMap((row) => queryOf(row.operation).map((parameter) => ({ ...row, parameter })));
const BAD_KEYS = ["short", "0".repeat(40), "1".repeat(31), "z".repeat(44), "I".repeat(40), "a".repeat(45)];

/** Parameters of the query that an operation takes beside the network. */
function queryOf({ parameters }: Operation): Parameter[] {
  const beside = parameters.filter((key: ParameterKey) => key !== "network");
  return beside.map((key): Parameter => PARAMETERS[key]).filter((parameter) => parameter.in === "query");
}

/** The address of an operation for a validator that is located, and the newest epoch. */
function addressOf(
  { indexes, walletShards }: Api,
  operation: Operation,
  network: Network,
  query: Record<string, string> = {},
) {
  const { validators, latestEpoch } = indexes[network];
  const located = validators.find(({ location }) => location !== null);
  const path = operation.path
    .replace("{votePubkey}", located?.votePubkey ?? "")
    .replace("{pubkey}", walletShards[network].data.wallets[0]?.[0] ?? "")
    .replace("{epoch}", String(latestEpoch));
  const needed = queryOf(operation).some(({ name }) => name === "q") ? { q: "va" } : {};
  return `${path}?${new URLSearchParams({ network, ...needed, ...query }).toString()}`;
}

/** Values of a parameter that are as good as any, and values that are none. */
function valuesOf({ name, min = 0, max = 0, values }: Parameter): { good: string[]; bad: string[] } {
  if (values !== undefined) return { good: [...values], bad: ["", "rug", `${values[0]} `, "1"] };
  if (name === "q") return { good: ["ab", "  ab  ", "é!", "a".repeat(1000), "%_\\"], bad: ["", "a", "   a   "] };
  const tooMuch = String(BigInt(max) + 1n);
  return {
    good: [String(min), String(Math.min(max, min + 1)), String(max)],
    bad: [String(min - 1), tooMuch, "", "x", "1.5", "1e1", " 1", "+1", "01"],
  };
}

export function describeOperations(api: () => Api): void {
  describe("its operations", () => {
    it.each(BY_NETWORK)("answer $name of $network as its schema says, and mainnet's unnamed", async (row) => {
      const { name, operation, network } = row;
      const address = addressOf(api(), operation, network);
      const response = await api().request(address);
      const body = await readAnswer(response.clone(), operation.document);
      expect(body).toHaveProperty("meta.network", network);
      expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES[operation.cache]);
      if (network === "mainnet") {
        const unnamed = await api().request(address.replace("network=mainnet", ""));
        expect(await unnamed.text()).toBe(await response.text());
      }
      if (name === "epoch") return;
      const etag = response.headers.get("etag") ?? "";
      const again = await api().request(address, { headers: { "if-none-match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    });

    it.each(having("network"))("refuse any other network in $name", async ({ operation }) => {
      for (const network of ["devnet", "", "Mainnet", "mainnet "]) {
        const response = await api().request(addressOf(api(), operation, "mainnet", { network }));
        expect(await readError(response, 400)).toBe("invalid_network");
      }
    });

    it.each(BY_PARAMETER)("take $parameter.name of $name within its bounds alone", async ({ operation, parameter }) => {
      const ask = (value?: string) => {
        const given = value === undefined ? {} : { [parameter.name]: value };
        return api().request(addressOf(api(), operation, "testnet", given));
      };
      const { good, bad } = valuesOf(parameter);
      for (const value of good) await readAnswer(await ask(value), operation.document);
      for (const value of bad) expect(await readError(await ask(value), 400)).toBe("invalid_parameter");
      if (parameter.default === undefined) return;
      expect(await (await ask(String(parameter.default))).text()).toBe(await (await ask()).text());
    });

    it.each(having("votePubkey"))("refuse what is no vote account in $name", async ({ operation }) => {
      for (const votePubkey of BAD_KEYS) {
        const response = await api().request(
          operation.path.replace("{network}", "mainnet").replace("{votePubkey}", votePubkey),
        );
        expect(await readError(response, 400)).toBe("invalid_pubkey");
      }
    });

    it.each(BAD_KEYS)("refuse %s as a wallet", async (pubkey) => {
      const response = await api().request(OPERATIONS.wallet.path.replace("{pubkey}", pubkey));
      expect(await readError(response, 400)).toBe("invalid_pubkey");
    });

    it.each(NETWORKS)("know each wallet and each stake account of %s, and no vote account as one", async (network) => {
      const { wallets, stakeAccounts } = api().walletShards[network].data;
      const ask = (pubkey: string) => api().request(`/api/v1/wallets/${pubkey}?network=${network}`);
      for (const [wallet, total, , accounts] of wallets.slice(0, 20)) {
        const { data, meta } = await readAnswer(await ask(wallet), OPERATIONS.wallet.document);
        expect(data.map(({ stakeAccount }) => stakeAccount)).toEqual(accounts.map(([stakeAccount]) => stakeAccount));
        const stake = data.reduce((sum, { lamports }) => sum + BigInt(lamports), 0n);
        expect([meta.role, meta.total, meta.stake.lamports]).toEqual(["withdrawAuthority", total, String(stake)]);
        for (const row of data) {
          expect(stakeAccounts.find(([key]) => key === row.stakeAccount)?.[1]).toBe(wallet);
          const own = await readAnswer(await ask(row.stakeAccount), OPERATIONS.wallet.document);
          expect([own.data, own.meta.role]).toEqual([[row], "stakeAccount"]);
        }
      }
      const { votePubkey } = api().indexes[network].validators[0]!;
      expect(await readError(await ask(votePubkey), 404)).toBe("wallet_not_found");
    });

    it.each(["-1", "01", "1.5", "x", "9007199254740992", "1e3"])("refuse the epoch %s", async (epoch) => {
      const response = await api().request(OPERATIONS.epochEvents.path.replace("{epoch}", epoch));
      expect(await readError(response, 400)).toBe("invalid_parameter");
    });

    it("know a validator of one network by its key on that network only", async () => {
      const { votePubkey } = api().indexes.testnet.validators[0]!;
      const path = OPERATIONS.validator.path.replace("{votePubkey}", votePubkey);
      await readAnswer(await api().request(`${path}?network=testnet`), OPERATIONS.validator.document);
      expect(await readError(await api().request(`${path}?network=mainnet`), 404)).toBe("validator_not_found");
    });

    it.each(NETWORKS)("give each published object of %s byte for byte, of every kind there is", async (network) => {
      const site = await readSite(api().stages[network]);
      const kinds = new Set<string>(["epoch", "search", "wallet", "openapi"]);
      for (const [key, text] of site) {
        const kind = fromObjectKey(network, key)?.kind ?? key;
        if (kind === "index" || kind === "walletShard" || kind === "page") continue;
        kinds.add(kind);
        const document = new RegExp(`^api/v1/${network}/(.*)\\.json$`).exec(key)?.[1];
        const address = document === undefined ? `/${key}` : `/api/v1/${document}?network=${network}`;
        const response = await api().request(address);
        expect([address, response.status, await response.text()]).toEqual([address, 200, text]);
      }
      expect([...kinds].sort()).toEqual(Object.keys(OPERATIONS).sort());
      expect(site.size).toBeGreaterThan(70);
    });

    it("describe themselves", async () => {
      const response = await api().request(OPERATIONS.openapi.path);
      const described = JSON.parse(JSON.stringify(openApiDocument())) as unknown;
      expect(await readAnswer(response, OPERATIONS.openapi.document)).toEqual(described);
    });
  });
}
