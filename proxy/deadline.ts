/** Nothing came before a deadline. */
export class DeadlineError extends Error {}

/**
 * Rejects after the deadline; the promise runs on.
 * @throws {DeadlineError}
 */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  milliseconds: number,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new DeadlineError(`no answer within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
