import { useState } from "preact/hooks";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCount, toCounted } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago, ChainName, Sol } from "../../parts/values.tsx";
import { Holdings } from "./Holdings.tsx";
import { toHoldings } from "./holdings.ts";
import "../../style/wallet.css";

export default function Wallet() {
  const { query } = useUrl();
  const wallet = query["wallet"] ?? "";
  return (
    <div class="stack">
      <header class="page-header">
        <h1>My stake</h1>
      </header>
      <WalletForm key={wallet} wallet={wallet} />
      {wallet !== "" && <Stake wallet={wallet} />}
    </div>
  );
}

function WalletForm({ wallet }: { wallet: string }) {
  const { change } = useUrl();
  const [text, setText] = useState(wallet);
  return (
    <form
      class="wallet-form"
      onSubmit={(event) => {
        event.preventDefault();
        const key = text.trim();
        change({ wallet: key === "" ? null : key, rows: null });
      }}
    >
      <label for="wallet">Address of a wallet or of a stake account</label>
      <div class="wallet-line">
        <input
          id="wallet"
          type="text"
          value={text}
          maxLength={64}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby="wallet-hint"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button">
          Show
        </button>
      </div>
      <p id="wallet-hint" class="quiet">
        Everybody can read on chain what an address has staked. No wallet is connected, nothing is signed, and this API
        learns only the address.
      </p>
    </form>
  );
}

function Stake({ wallet }: { wallet: string }) {
  const { network } = useUrl();
  const resource = useDocument(documents.wallet(network, wallet));
  return (
    <Card title="Your validators" class="wallet">
      <Document resource={resource} lines={8} missing={<NotFound network={network} />}>
        {({ data, meta }) => (
          <>
            <p class="wallet-summary">
              <strong>
                <Sol lamports={meta.stake.lamports} />
              </strong>{" "}
              in {toCounted(meta.total, "stake account")} of{" "}
              <ChainName kind="address" name={data[0]?.withdrawAuthority ?? meta.pubkey} what="the wallet" />
              {meta.role === "stakeAccount" && ", of which only the one that was asked for is shown"}. As of epoch{" "}
              {meta.epoch}, read <Ago time={meta.asOf} />; what was delegated or taken back since shows with the next
              epoch.
            </p>
            {data.length < meta.total && (
              <p class="note">Only the largest {toCount(data.length)} accounts are listed.</p>
            )}
            <Holdings holdings={toHoldings(data)} />
          </>
        )}
      </Document>
    </Card>
  );
}

function NotFound({ network }: { network: string }) {
  return (
    <>
      On {network} this address had no delegated stake account when the index of this epoch was read, and is none
      itself. Stake that was delegated since shows with the next epoch. Of a pool's token the stake accounts are the
      pool's.
    </>
  );
}
