// Corrections that a person makes again and again, offered as terms of the account. Counted in this browser alone.
import { replacements } from '@faircopy/transcript';
import { useState } from 'preact/hooks';
import { api } from '../../../api/console.ts';
import { Failure } from '../../../parts/states.tsx';
import { useSession } from '../../../session.ts';

/** Once may be a slip. */
const OFFER_FROM = 2;
const KEPT_MAX = 200;
const TERM_CHARACTERS_MAX = 100;

export interface Offer {
  readonly before: string;
  readonly after: string;
  readonly times: number;
}

const storageKey = (accountId: string): string => `faircopy.corrections.${accountId}`;
const bare = (text: string): string => text.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');

const readCounts = (accountId: string): Offer[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(accountId)) ?? '[]');
    return Array.isArray(kept) ? (kept as Offer[]) : [];
  } catch {
    return [];
  }
};

/** Counts what was typed in place of what; returns what is worth offering now. */
export const countCorrections = (accountId: string, before: string, after: string): Offer[] => {
  const counts = readCounts(accountId);
  const touched = new Set<string>();
  for (const change of replacements(before, after)) {
    const [heard, meant] = [bare(change.before), bare(change.after)];
    if (heard === '' || meant === '' || heard === meant || meant.length > TERM_CHARACTERS_MAX) continue;
    const found = counts.findIndex((one) => one.before.toLowerCase() === heard.toLowerCase() && one.after === meant);
    const times = (found === -1 ? 0 : counts[found]!.times) + 1;
    if (found !== -1) counts.splice(found, 1);
    counts.push({ before: heard, after: meant, times });
    touched.add(meant);
  }
  localStorage.setItem(storageKey(accountId), JSON.stringify(counts.slice(-KEPT_MAX)));
  return counts.filter((one) => touched.has(one.after) && one.times >= OFFER_FROM);
};

const forget = (accountId: string, offer: Offer): void =>
  localStorage.setItem(
    storageKey(accountId),
    JSON.stringify(readCounts(accountId).filter((one) => one.after !== offer.after)),
  );

const addTerm = async (accountId: string, term: string): Promise<void> => {
  const { vocabulary } = await api.account(accountId);
  if (!vocabulary.includes(term)) await api.setVocabulary(accountId, [...vocabulary, term], vocabulary);
};

const timesText = (times: number): string =>
  ['', 'once', 'twice', 'three times', 'four times', 'five times'][times] ?? `${times} times`;

export const Offers = ({ offers, onDone }: { offers: readonly Offer[]; onDone: (offer: Offer) => void }) => {
  const { accountId } = useSession();
  const [error, setError] = useState<Error | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const add = async (offer: Offer) => {
    setError(null);
    try {
      await addTerm(accountId, offer.after);
      forget(accountId, offer);
      setAdded(offer.after);
      onDone(offer);
    } catch (thrown) {
      setError(thrown as Error);
    }
  };
  const dismiss = (offer: Offer) => {
    forget(accountId, offer);
    onDone(offer);
  };
  return (
    <div role="status">
      {offers.map((offer) => (
        <div key={offer.after} class="notice notice-plain">
          <p>
            You changed <em>{offer.before}</em> to <em>{offer.after}</em> {timesText(offer.times)}: add it to the
            vocabulary?
          </p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => void add(offer)}>
              Add “{offer.after}”
            </button>
            <button type="button" onClick={() => dismiss(offer)}>
              No
            </button>
          </div>
        </div>
      ))}
      {added ? <p class="notice notice-good">“{added}” is in the vocabulary; it is listened for from now on.</p> : null}
      {error ? <Failure error={error} /> : null}
    </div>
  );
};
