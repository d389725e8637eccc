/**
 * An observation the door refuses for what it shows by itself, such as an epoch that ended while it was read. Asking
 * another endpoint is of no use. The message names the endpoint by its label.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
