const MINUTE = 60_000;
/** Shorter changes may be missed, and with percents alone those between two snapshots. */
export const STANDING = 3 * MINUTE;
export const STANDING_UNSHOWN = 12 * MINUTE;

/** A broken promise: something false, hidden for over five minutes, or stopped for over fifteen. */
export interface Fault {
  kind:
    | (
        | "false event"
        | "missed"
        | "late"
        | "stopped"
        | "wrong rate"
        | "wrong stake"
        | "not settled"
        | "wrong applied"
      )
    | ("false proof" | "false coverage" | "wrong proved" | "unproved");
  at: number;
  /** "": no validator. */
  vote: string;
  text: string;
}
