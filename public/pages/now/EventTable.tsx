import type { ComponentChildren } from "preact";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { EventValidator } from "../../../generator/contract/event-validators.ts";
import { findWorst, toIncidentText } from "../../format/events.ts";
import { type Line, toSeverity } from "../../format/lines.ts";
import { addStake, NOT_KNOWN, toCounted } from "../../format/values.ts";
import { Change, EffectText, PatternChange, PayText, SeverityBadge } from "../../parts/Change.tsx";
import { Disclosure } from "../../parts/Disclosure.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { Ago, Sol } from "../../parts/values.tsx";

interface Known {
  epoch: Epoch | null;
  /** By vote account; the API may leave one out. */
  validators: ReadonlyMap<string, EventValidator>;
}

/** Narrow screens show rows as blocks, which without the roles would be no table. */
export function EventTable({ lines, known }: { lines: readonly Line[]; known: Known }) {
  return (
    <table class="events block-table" role="table" aria-label="Newest changes">
      <thead role="rowgroup">
        <tr role="row">
          {["Severity", "Validator", "Change", "What delegators pay", "Stake", "Seen"].map(
            (name) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {lines.map((line) =>
          line.kind === "incident" ? (
            <IncidentRow key={line.event.id} line={line} known={known} />
          ) : (
            <EventRow key={line.event.id} event={line.event} known={known}>
              {line.kind === "pattern" && <PatternChange pattern={line.pattern} />}
            </EventRow>
          ),
        )}
      </tbody>
    </table>
  );
}

interface EventRowProps {
  event: CommissionEvent;
  known: Known;
  children: ComponentChildren;
}

function EventRow({ event, known: { epoch, validators }, children }: EventRowProps) {
  const validator = validators.get(event.votePubkey);
  const severity = toSeverity(event);
  return (
    <tr role="row" class={`event event-${severity.toLowerCase()}`}>
      <td role="cell" class="event-severity">
        <SeverityBadge severity={severity} />
      </td>
      <td role="cell" class="event-validator">
        <ValidatorName
          votePubkey={event.votePubkey}
          name={event.validatorName}
          iconUrl={validator?.iconUrl ?? null}
        />
      </td>
      <td role="cell" class="event-change">
        {children || <Change event={event} />}
      </td>
      <td role="cell" class="event-effect">
        <PayText event={event} rates={validator ?? null} epoch={epoch} />
      </td>
      <td role="cell" class="event-stake">
        {validator === undefined ? (
          <span class="quiet">{NOT_KNOWN}</span>
        ) : (
          <Sol lamports={validator.activeStake.lamports} />
        )}
      </td>
      <Seen event={event} />
    </tr>
  );
}

function Seen({ event: { createdAt, epoch } }: { event: CommissionEvent }) {
  return (
    <td role="cell" class="event-seen">
      {createdAt === null ? <span class="quiet">epoch {epoch}</span> : <Ago time={createdAt} />}
    </td>
  );
}

interface IncidentRowProps {
  line: Extract<Line, { kind: "incident" }>;
  known: Known;
}

function IncidentRow({
  line: { event: newest, incident, members },
  known: { epoch, validators },
}: IncidentRowProps) {
  const severity = findWorst(members);
  const keys = new Set(members.map(({ votePubkey }) => votePubkey));
  const stake = addStake(
    [...keys].flatMap((key) => validators.get(key)?.activeStake.lamports ?? []),
  );
  const all = `the ${toCounted(incident.validators, "validator")}`;
  return (
    <tr role="row" class={`event event-${severity.toLowerCase()}`}>
      <td role="cell" class="event-severity">
        <SeverityBadge severity={severity} />
      </td>
      <td role="cell" class="event-incident" colSpan={3}>
        <strong>{toIncidentText(incident, newest)}</strong>{" "}
        <Disclosure what={keys.size === incident.validators ? all : `${keys.size} of ${all}`}>
          {() => (
            <ul class="incident-members">
              {members.map((event) => (
                <li key={event.id}>
                  <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} />
                  <Change event={event} />
                  <EffectText event={event} epoch={epoch} />
                </li>
              ))}
            </ul>
          )}
        </Disclosure>
      </td>
      <td role="cell" class="event-stake">
        <Sol lamports={stake} />
      </td>
      <Seen event={newest} />
    </tr>
  );
}
