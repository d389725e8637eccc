import { useId } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { WalletAccount } from "../../../generator/contract/wallets.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { apiNow } from "../../api/clock.ts";
import { toYield } from "../../format/cost.ts";
import { toStartOf } from "../../format/events.ts";
import { readWhole, toAddress } from "../../format/url.ts";
import { keepPercents, toDuration, toPercent, toShortSol } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { Sol } from "../../parts/values.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { type ToDo, toHeadline, toHoldings, toToDos } from "./holdings.ts";
import { MoveStake } from "./MoveStake.tsx";
import { VerdictBar } from "./VerdictBar.tsx";
import "../../style/inline-select.css";

interface ToDoProps {
  accounts: readonly WalletAccount[];
  epoch: Epoch;
  /** The newest of all validators, which tell what an epoch earns. */
  events: readonly CommissionEvent[];
}

/** What the delegator should do now, worst first, and what the rises took so far. */
export function ToDoCard({ accounts, epoch, events }: ToDoProps) {
  const { query, network } = useUrl();
  const holdings = toHoldings(accounts);
  const lengths = holdings.map(({ validator }) => validator?.appliedCommissions.length ?? 0);
  const oldest = Math.max(0, epoch.epoch - Math.max(1, ...lengths) + 1);
  const since = readWhole(query["since"], { min: oldest, max: epoch.epoch, otherwise: oldest });
  const toDos = toToDos(holdings, { epoch: epoch.epoch, perLamport: toYield(events), since });
  const listed = toDos.filter(({ asks }) => asks !== "nothing");
  const votes = holdings.map(({ votePubkey }) => votePubkey).join(",");
  const tools = (
    <a class="button" href={toAddress("/alerts", { votes, network })}>
      Get alerts for these
    </a>
  );
  return (
    <Card title="What to do" tools={tools}>
      <p class="to-do-headline">{toDos.length === 0 ? NOTHING_ACTIVE : toHeadline(toDos)}</p>
      {listed.length > 0 && (
        <ol class="to-dos">
          {listed.map((toDo) => (
            <Row key={toDo.holding.votePubkey} toDo={toDo} epoch={epoch} />
          ))}
        </ol>
      )}
      <VerdictBar holdings={holdings} />
      <Lost toDos={toDos} since={since} oldest={oldest} newest={epoch.epoch} />
      <MoveStake />
    </Card>
  );
}

const NOTHING_ACTIVE = "None of your stake is active: there is nothing to do.";

function Row({ toDo, epoch }: { toDo: ToDo; epoch: Epoch }) {
  const { holding, asks, task, lossPerEpoch } = toDo;
  const { votePubkey, validator, lamports } = holding;
  return (
    <li class="to-do">
      <span class="to-do-name">
        <ValidatorName
          votePubkey={votePubkey}
          name={validator?.name ?? null}
          iconUrl={validator?.iconUrl ?? null}
        />{" "}
        <Sol lamports={String(lamports)} />
        {validator !== null && <VerdictWord level={validator.verdict} />}
      </span>
      {asks === "look" && validator !== null && (
        <p>
          {validator.appliedCommission !== null &&
            `It takes ${toPercent(validator.appliedCommission)} of inflation rewards now. `}
          Its verdict is bad: <q>{keepPercents(validator.verdictReason.text)}</q>
        </p>
      )}
      {validator?.delinquent === true && (
        <p>It does not vote, so your stake with it earns nothing new.</p>
      )}
      {task !== null && (
        <p>
          {task.isPaid ? "It takes " : `From epoch ${task.fromEpoch}: `}
          <strong class="to-do-rate">{toPercent(task.rate)}</strong>
          {task.before !== null && ` instead of ${toPercent(task.before)}`}.{" "}
          {lossPerEpoch !== null && (
            <>
              {task.before === null ? "That is" : "You lose"}{" "}
              <strong>{toShortSol(String(lossPerEpoch))} SOL</strong> an epoch.{" "}
            </>
          )}
          <Deadline deadline={task.deadline} isPaid={task.isPaid} epoch={epoch} />
        </p>
      )}
    </li>
  );
}

interface DeadlineProps {
  deadline: number;
  isPaid: boolean;
  epoch: Epoch;
}

function Deadline({ deadline, isPaid, epoch }: DeadlineProps) {
  const left = toStartOf(epoch, deadline + 1, apiNow.value);
  return (
    <>
      Deactivate before epoch {deadline} ends
      {left !== null && (
        <>
          , in <strong>{toDuration(left)}</strong>
        </>
      )}
      {isPaid ? ": this epoch still pays it." : ", to pay none of it."}
    </>
  );
}

interface LostProps {
  toDos: readonly ToDo[];
  since: number;
  oldest: number;
  newest: number;
}

/** As if the stake had been there all the time: the API does not know since when it is. */
function Lost({ toDos, since, oldest, newest }: LostProps) {
  const id = useId();
  const { change } = useUrl();
  const known = toDos.flatMap(({ lost }) => lost ?? []);
  if (known.length === 0) return null;
  const total = known.reduce((sum, each) => sum + each, 0n);
  return (
    <p class="to-do-lost">
      <label for={id}>Since epoch</label>{" "}
      <select
        id={id}
        class="inline-select"
        value={String(since)}
        onChange={({ currentTarget: { value } }) =>
          change({ since: Number(value) === oldest ? null : value }, { replace: true })
        }
      >
        {Array.from({ length: newest - oldest + 1 }, (_, at) => (
          <option key={at}>{oldest + at}</option>
        ))}
      </select>{" "}
      rises took <strong>{total === 0n ? "nothing" : `${toShortSol(String(total))} SOL`}</strong>{" "}
      from this much stake, if it was there all the time.{" "}
      <span class="quiet">At average vote credits, inflation rewards alone.</span>
    </p>
  );
}
