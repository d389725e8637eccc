/**
 * A program as a client of the API would write it: openapi-fetch, with types made
 * from the served description. It reads every endpoint and prints a field of each
 * answer, by path. typed-client.test.ts makes `client.d.ts`, compiles this and runs it:
 *
 * node client-program.ts URL VOTE_ACCOUNT EPOCH WALLET MONTH
 */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./client.d.ts";

type Api = Client<paths>;

const [baseUrl = "", votePubkey = "", epochText = "", pubkey = "", month = ""] =
  process.argv.slice(2);
const epoch = Number(epochText);
const network = "mainnet";
const ofValidator = { params: { path: { votePubkey } } };
const ofNetwork = { params: { path: { network } } } as const;
const ofMonth = { params: { path: { network, month } } } as const;
const ofEpoch = { params: { path: { network, epoch } } } as const;
const ofFeed = { params: { path: { network, feed: "rug" } } } as const;
const ofValidatorFeed = { params: { path: { network, votePubkey } } } as const;
const asText = { parseAs: "text" } as const;
const asBytes = { parseAs: "arrayBuffer" } as const;

const countEntries = (text: string) => text.match(/<entry>/g)?.length;
const readColumn = (text: string) => text.split(",")[0];
const readMagic = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("latin1", 0, 4);

/**
 * Reads one field of each path's answer. A path of
 * the description that is not here does not compile.
 */
const READERS = {
  "/api/v1/events": (api) => {
    const severity: "RUG"[] = ["RUG"];
    const query = { network, epochs: 1, severity } as const;
    const toFields = (event: { toCommission: number | null; effectiveEpoch: number | null }) =>
      event;
    return read(
      api.GET("/api/v1/events", { params: { query } }),
      // Does not compile if enumerations of answers are closed.
      ({ data }) => data.filter(({ severity }) => severity !== "LATER").map(toFields).length,
    );
  },
  "/api/v1/epochs": (api) =>
    read(api.GET("/api/v1/epochs", {}), ({ data }) => data[0]?.epochsPerYear ?? "unknown"),
  "/api/v1/epochs/{epoch}/events": (api) =>
    read(api.GET("/api/v1/epochs/{epoch}/events", ofEpoch), ({ meta }) => meta.uniqueValidators),
  "/api/v1/validators/{votePubkey}/events": (api) =>
    read(
      api.GET("/api/v1/validators/{votePubkey}/events", ofValidator),
      ({ data }) => data[0]?.severity,
    ),
  "/api/v1/validators/{votePubkey}/transactions": (api) =>
    read(
      api.GET("/api/v1/validators/{votePubkey}/transactions", ofValidator),
      ({ data }) => data[0]?.verifiedBy,
    ),
  "/api/v1/validators": (api) =>
    read(
      api.GET("/api/v1/validators", { params: { query: { limit: 1, page: 2 } } }),
      ({ data, meta }) =>
        [data[0]?.activeStake, meta.networkStake].map((stake) =>
          String(BigInt(stake?.lamports ?? -1)),
        ),
    ),
  "/api/v1/validators/{votePubkey}": (api) =>
    read(
      api.GET("/api/v1/validators/{votePubkey}", ofValidator),
      ({ data }) => data.performance.voteCreditsUnit,
    ),
  "/api/v1/validators/{votePubkey}/commission-history": (api) =>
    read(
      api.GET("/api/v1/validators/{votePubkey}/commission-history", ofValidator),
      ({ data }) => data.at(-1)?.commission,
    ),
  "/api/v1/validators/{votePubkey}/stake-history": (api) =>
    read(
      api.GET("/api/v1/validators/{votePubkey}/stake-history", ofValidator),
      ({ data }) => data[0]?.rank,
    ),
  "/api/v1/validators/{votePubkey}/uptime": (api) => {
    const params = { ...ofValidator.params, query: { days: 1 } };
    return read(
      api.GET("/api/v1/validators/{votePubkey}/uptime", { params }),
      ({ meta }) => meta.daysTracked,
    );
  },
  "/api/v1/validators/{votePubkey}/location": (api) =>
    read(
      api.GET("/api/v1/validators/{votePubkey}/location", ofValidator),
      ({ data }) => data.current.city,
    ),
  "/api/v1/changes": (api) =>
    read(
      api.GET("/api/v1/changes", { params: { query: { after: 1, limit: 1 } } }),
      ({ meta }) => meta.next,
    ),
  "/api/v1/search": (api) =>
    read(
      api.GET("/api/v1/search", { params: { query: { q: "COBALT" } } }),
      ({ data }) => data[0]?.votePubkey,
    ),
  "/api/v1/wallets/{pubkey}": (api) =>
    read(
      api.GET("/api/v1/wallets/{pubkey}", { params: { path: { pubkey } } }),
      ({ meta }) => meta.role,
    ),
  "/api/v1/wallets": (api) => read(api.GET("/api/v1/wallets"), ({ data }) => data.stakeAccounts),
  "/api/v1/stats/rugs-per-epoch": (api) => {
    const query = { epochs: 2, offset: 1 };
    return read(
      api.GET("/api/v1/stats/rugs-per-epoch", { params: { query } }),
      ({ meta }) => meta.global.epochsTracked,
    );
  },
  "/api/v1/stats/stake-concentration": (api) =>
    read(
      api.GET("/api/v1/stats/stake-concentration"),
      ({ data }) => data.nakamotoCoefficients.byCountry,
    ),
  "/api/v1/epoch": (api) => read(api.GET("/api/v1/epoch"), ({ data }) => data.slotsInEpoch),
  "/api/v1/status": (api) =>
    read(api.GET("/api/v1/status"), ({ data }) => data.sources.map(({ state }) => state)),
  "/api/v1/openapi.json": (api) => read(api.GET("/api/v1/openapi.json"), ({ info }) => info.title),
  "/feeds/{network}/{feed}.atom": (api) =>
    read(api.GET("/feeds/{network}/{feed}.atom", { ...ofFeed, ...asText }), countEntries),
  "/feeds/{network}/{feed}.json": (api) =>
    read(api.GET("/feeds/{network}/{feed}.json", ofFeed), ({ items }) => items.length),
  "/feeds/{network}.atom": (api) => {
    const params = { ...ofNetwork.params, query: { votes: [votePubkey] } };
    return read(api.GET("/feeds/{network}.atom", { params, ...asText }), countEntries);
  },
  "/feeds/{network}/validators/{votePubkey}.atom": (api) =>
    read(
      api.GET("/feeds/{network}/validators/{votePubkey}.atom", { ...ofValidatorFeed, ...asText }),
      countEntries,
    ),
  "/feeds/{network}/validators/{votePubkey}.json": (api) =>
    read(
      api.GET("/feeds/{network}/validators/{votePubkey}.json", ofValidatorFeed),
      ({ items }) => items.length,
    ),
  "/badges/{network}/{votePubkey}.svg": (api) =>
    read(api.GET("/badges/{network}/{votePubkey}.svg", { ...ofValidatorFeed, ...asText }), (svg) =>
      svg.slice(0, 4),
    ),
  "/badges/{network}/{votePubkey}.png": (api) =>
    read(
      api.GET("/badges/{network}/{votePubkey}.png", { ...ofValidatorFeed, ...asBytes }),
      readMagic,
    ),
  "/pages/{network}/sitemap.xml": (api) =>
    read(api.GET("/pages/{network}/sitemap.xml", { ...ofNetwork, ...asText }), (xml) =>
      xml.slice(0, 5),
    ),
  "/api/v1/exports": (api) =>
    read(api.GET("/api/v1/exports"), ({ data }) =>
      data.map(({ format, sha256 }) => [format, sha256.length]),
    ),
  "/exports/{network}/events.csv": (api) =>
    read(api.GET("/exports/{network}/events.csv", { ...ofNetwork, ...asText }), readColumn),
  "/exports/{network}/events.parquet": (api) =>
    read(api.GET("/exports/{network}/events.parquet", { ...ofNetwork, ...asBytes }), readMagic),
  "/exports/{network}/costs.csv": (api) =>
    read(api.GET("/exports/{network}/costs.csv", { ...ofNetwork, ...asText }), readColumn),
  "/exports/{network}/costs.parquet": (api) =>
    read(api.GET("/exports/{network}/costs.parquet", { ...ofNetwork, ...asBytes }), readMagic),
  "/exports/{network}/rugs.csv": (api) =>
    read(api.GET("/exports/{network}/rugs.csv", { ...ofNetwork, ...asText }), readColumn),
  "/exports/{network}/rugs.parquet": (api) =>
    read(api.GET("/exports/{network}/rugs.parquet", { ...ofNetwork, ...asBytes }), readMagic),
  "/exports/{network}/validators.csv": (api) =>
    read(api.GET("/exports/{network}/validators.csv", { ...ofNetwork, ...asText }), readColumn),
  "/exports/{network}/validators.parquet": (api) =>
    read(api.GET("/exports/{network}/validators.parquet", { ...ofNetwork, ...asBytes }), readMagic),
  "/exports/{network}/locations.csv": (api) =>
    read(api.GET("/exports/{network}/locations.csv", { ...ofNetwork, ...asText }), readColumn),
  "/exports/{network}/locations.parquet": (api) =>
    read(api.GET("/exports/{network}/locations.parquet", { ...ofNetwork, ...asBytes }), readMagic),
  "/exports/{network}/epochs.csv": (api) =>
    read(api.GET("/exports/{network}/epochs.csv", { ...ofNetwork, ...asText }), readColumn),
  "/exports/{network}/epochs.parquet": (api) =>
    read(api.GET("/exports/{network}/epochs.parquet", { ...ofNetwork, ...asBytes }), readMagic),
  "/exports/{network}/uptime/{month}.csv": (api) =>
    read(api.GET("/exports/{network}/uptime/{month}.csv", { ...ofMonth, ...asText }), readColumn),
  "/exports/{network}/uptime/{month}.parquet": (api) =>
    read(
      api.GET("/exports/{network}/uptime/{month}.parquet", { ...ofMonth, ...asBytes }),
      readMagic,
    ),
  "/exports/{network}/history/{epoch}.csv": (api) =>
    read(api.GET("/exports/{network}/history/{epoch}.csv", { ...ofEpoch, ...asText }), readColumn),
  "/exports/{network}/history/{epoch}.parquet": (api) =>
    read(
      api.GET("/exports/{network}/history/{epoch}.parquet", { ...ofEpoch, ...asBytes }),
      readMagic,
    ),
} satisfies { [Path in keyof paths]: (api: Api) => Promise<unknown> };

const api = createClient<paths>({ baseUrl });
const asked: string[] = [];
api.use({ onRequest: ({ schemaPath }) => void asked.push(schemaPath) });

const fields: Record<string, unknown> = {};
for (const [path, readField] of Object.entries(READERS)) {
  fields[path] = await readField(api);
  if (asked.at(-1) !== path)
    throw new Error(`The reader of ${path} asked for ${String(asked.at(-1))}.`);
}
process.stdout.write(JSON.stringify(fields));

/**
 * A field of a successful answer.
 * @throws {Error} with the code of an error; all that are described have one
 */
async function read<Body, Field>(
  answer: Promise<{
    data?: Body;
    error?: { error: { code: string; message: string } };
    response: Response;
  }>,
  toField: (body: Body) => Field,
): Promise<Field> {
  const { data, error, response } = await answer;
  if (data === undefined)
    throw new Error(`${response.url}: ${error?.error.code ?? response.status}`);
  return toField(data);
}
