/** Rejects if the promise has not settled within the time; the promise itself runs on, unheeded. */
export async function withDeadline<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the promise has settled, however, or the time is over. */
export async function soonest(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), milliseconds);
  await Promise.race([promise.catch(() => undefined), over.promise]);
  clearTimeout(timer);
}
