// Asserts what operators see while a cluster cannot serve: readiness with the cause, and the metrics of the alerts.
import assert from 'node:assert/strict';
import { readinessOf, samplesOf, until } from './gateway-and-worker.ts';

/** Enough for an alert on the share of refusals. */
const REFUSALS_MIN = 3;

export const samplesAt = async (url: string): Promise<ReadonlyMap<string, number>> =>
  samplesOf(await (await fetch(`${url}/metrics`)).text());

const OURS = /code="(?:SERVICE_UNAVAILABLE|INTERNAL_ERROR|\w+_TIMEOUT)"/;

/** Requests that failed because of the server, and all others, as counted by the alert FaircopyRefusingAll. */
const requestsAt = async (urls: readonly string[]): Promise<{ readonly failed: number; readonly others: number }> => {
  let [failed, others] = [0, 0];
  for (const url of urls)
    for (const [name, count] of await samplesAt(url)) {
      if (/^faircopy_requests(?:_refused)?_total\{/.test(name) && OURS.test(name)) failed += count;
      else if (name.startsWith('faircopy_requests_total{')) others += count;
    }
  return { failed, others };
};

/** Resolves when every server reports the outage, and has refused requests in the meantime. */
export const assertOutage = async (urls: readonly string[], cause: RegExp): Promise<void> => {
  for (const url of urls) {
    const { message = '' } = await until(
      () => readinessOf(url),
      ({ code }) => code === 503,
    );
    assert.match(message, cause);
    const samples = await until(
      () => samplesAt(url),
      (page) => page.get('faircopy_ready') === 0,
    );
    const tiers = [...samples].filter(([name]) => name.startsWith('faircopy_tier_ready'));
    assert.ok(tiers.length > 0 && tiers.every(([, isReady]) => isReady === 0), 'FaircopyTierUnserved');
  }
  const before = await requestsAt(urls);
  const now = await until(
    () => requestsAt(urls),
    ({ failed }) => failed >= before.failed + REFUSALS_MIN,
  );
  const [failed, others] = [now.failed - before.failed, now.others - before.others];
  assert.ok(failed / (failed + others) > 0.9, `FaircopyRefusingAll: ${failed} failed, ${others} others`);
};

export const assertReady = async (urls: readonly string[]): Promise<void> => {
  for (const url of urls) {
    await until(
      () => readinessOf(url),
      ({ status }) => status === 'ready',
    );
    await until(
      () => samplesAt(url),
      (page) => page.get('faircopy_ready') === 1,
    );
  }
};
