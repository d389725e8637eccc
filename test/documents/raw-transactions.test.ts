import { expect, it } from "vitest";
import { decodeTransaction, isSigned } from "../../generator/chain/transaction.ts";
import { RAW_TRANSACTIONS_MAX } from "../../generator/contract/raw-transaction.ts";
import { foldStory } from "../story/fold.ts";
import { AUTHORITY, setsA, steady, transactions, type Found } from "../story/transactions.ts";
import { keyOf } from "../story/validators.ts";
import { read } from "./read.ts";

const tell = (...found: Found[]) =>
  read(
    foldStory(...steady(0, 110, 500), transactions(110.3, 3, { after: 0, upTo: 110.2, found }))
      .ledger,
    "validatorTransactions",
    { votePubkey: keyOf("A") },
  );

it("the transactions of a validator are published as the cluster executed them, newest first", () => {
  const [first, second] = [setsA(20, [10_000]), setsA(30, [0, 500])];
  const { data, meta } = tell(first, second);
  expect(meta).toEqual({ network: "mainnet", total: 2, votePubkey: keyOf("A") });
  expect(data).toEqual([
    {
      signature: second.signature,
      slot: second.slot,
      signer: AUTHORITY.address,
      commissions: [0, 5],
      verifiedBy: "signature",
      bytes: second.bytes,
    },
    expect.objectContaining({ signature: first.signature, commissions: [100], bytes: first.bytes }),
  ]);
  for (const { bytes } of data)
    expect(isSigned(decodeTransaction(Buffer.from(bytes, "base64")))).toBe(true);
});

it("of a validator that changes its commission again and again, the newest are", () => {
  const all = Array.from({ length: RAW_TRANSACTIONS_MAX + 3 }, (_, index) =>
    setsA(0, [index], { slot: setsA(20, [0]).slot + index }),
  );
  const { data } = tell(...all);
  expect(data.map(({ signature }) => signature)).toEqual(
    all
      .map(({ signature }) => signature)
      .toReversed()
      .slice(0, RAW_TRANSACTIONS_MAX),
  );
});

it("nothing is published of a transaction that is told under two slots", () => {
  const executed = setsA(20, [10_000]);
  const moved = { ...executed, slot: executed.slot + 5 };
  const found = (one: Found) => ({ after: 0, upTo: 110.2, found: [one] });
  const { ledger } = foldStory(
    ...steady(0, 110, 500),
    transactions(110.3, 3, found(executed)),
    transactions(111.3, 3, found(moved)),
  );
  expect(read(ledger, "validatorTransactions", { votePubkey: keyOf("A") }).data).toEqual([]);
});
