import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { isNotFound } from "../../api/client.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents, NEWEST } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { isKey, NETWORKS, toAddress } from "../../format/url.ts";
import { toCount, toCounted } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document, Loading } from "../../parts/Document.tsx";
import { FindValidator } from "../../parts/FindValidator.tsx";
import { LookUp } from "../../parts/LookUp.tsx";
import { StakeSelect } from "../../parts/StakeSelect.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Ago, ChainName, Sol } from "../../parts/values.tsx";
import { ToDoCard } from "./ToDo.tsx";
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
      {wallet === "" ? (
        <WithoutAddress />
      ) : isKey(wallet) ? (
        <Stake wallet={wallet} />
      ) : (
        <NoAddress text={wallet} />
      )}
    </div>
  );
}

function WalletForm({ wallet }: { wallet: string }) {
  const { change } = useUrl();
  const [text, setText] = useState(wallet);
  return (
    <LookUp
      id="wallet"
      label="Address of a wallet or of a stake account"
      type="text"
      value={text}
      maxLength={64}
      hint="The stake of an address is public. You connect no wallet and sign nothing: this site sends the address to its API, nothing else."
      button="Show"
      labelled="above"
      onType={setText}
      onSubmit={() => {
        const key = text.trim();
        change({ wallet: key === "" ? null : key, rows: null });
      }}
    />
  );
}

/** The same questions, asked of a validator. */
function WithoutAddress() {
  return (
    <Card title="Without an address" class="without-address">
      <p>
        Every validator's page says what its rises cost a stake of <StakeSelect /> SOL.
      </p>
      <FindValidator />
    </Card>
  );
}

function NoAddress({ text }: { text: string }) {
  const { network } = useUrl();
  return (
    <section class="notice" aria-label="No address">
      <p>
        “<bdi class="breakable">{text}</bdi>” is no address. An address has 32 to 44 letters and
        digits, without 0, O, I and l. Check that you copied all of it.
      </p>
      <p>
        Is it a validator's name?{" "}
        <a href={toAddress("/validators", { q: text, network })}>Search the validators for it</a>.
      </p>
    </section>
  );
}

function Stake({ wallet }: { wallet: string }) {
  const { network } = useUrl();
  const resource = useDocument(documents.wallet(network, wallet));
  const epoch = useEpoch(network);
  const events = useDocument(documents.events(network, NEWEST));
  const isRead = [resource, epoch, events].every(
    ({ held, problem }) => held !== null || problem !== null,
  );
  if (isNotFound(resource.problem)) return <NoStake wallet={wallet} />;
  // All at once, or what is read first would move.
  if (!isRead)
    return (
      <Card key="loading" title="What to do">
        <Loading lines={8} />
      </Card>
    );
  return (
    <>
      {resource.held !== null && epoch.held !== null && (
        <ToDoCard
          accounts={resource.held.document.data}
          epoch={epoch.held.document.data}
          events={events.held?.document.data ?? []}
        />
      )}
      <Card title="Your validators">
        <Document resource={resource} lines={8}>
          {({ data, meta }) => (
            <>
              <p class="wallet-summary">
                <strong>
                  <Sol lamports={meta.stake.lamports} />
                </strong>{" "}
                in {toCounted(meta.total, "stake account")} of{" "}
                <ChainName
                  kind="address"
                  name={data[0]?.withdrawAuthority ?? meta.pubkey}
                  what="the wallet"
                />
                {meta.role === "stakeAccount" &&
                  ". This page shows only the account that you asked for"}
                . As of epoch {meta.epoch}, read <Ago time={meta.asOf} />. Later changes of your
                stake appear with the next epoch.
              </p>
              {data.length < meta.total && (
                <p class="note">The list has the largest {toCount(data.length)} accounts.</p>
              )}
              <Holdings holdings={toHoldings(data)} />
            </>
          )}
        </Document>
      </Card>
    </>
  );
}

/** Of an address that nobody delegated from, or not here. */
function NoStake({ wallet }: { wallet: string }) {
  const { network } = useUrl();
  return (
    <section class="notice no-stake" aria-labelledby="no-stake">
      <h2 id="no-stake">We found no stake here</h2>
      <p>
        On {network}, no delegated stake account belongs to <code class="breakable">{wallet}</code>.
        What you can do:
      </p>
      <ul class="no-stake-ways">
        <li>
          Look elsewhere:{" "}
          {NETWORKS.filter((name) => name !== network).map((name, index) => (
            <Fragment key={name}>
              {index > 0 && " · "}
              <a href={toAddress("/wallet", { wallet, network: name })}>{name}</a>
            </Fragment>
          ))}
        </li>
        <li>
          Try another address: the one that may withdraw the stake, which your wallet shows as its
          own, or the stake account itself.
        </li>
        <li>
          <a href={toAddress("/validators", { q: wallet, network })}>Search the validators</a> for
          it, if it may be one of their keys.
        </li>
        <li>Wait for the next epoch, if you delegated in this one.</li>
        <li>
          If you hold a pool's token, or stake on an exchange, the stake accounts are theirs: ask
          them for their validators, and look these up.
        </li>
      </ul>
      <FindValidator />
    </section>
  );
}
