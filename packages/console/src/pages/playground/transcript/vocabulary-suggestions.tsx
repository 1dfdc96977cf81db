// Suggests terms for the vocabulary from corrections that the user repeats. Counts are kept in this browser only.
import { replacements } from '@faircopy/transcript';
import { useState } from 'preact/hooks';
import { api } from '../../../api/api.ts';
import { ErrorNotice } from '../../../components/states.tsx';
import { asError } from '../../../errors.ts';
import { useSession } from '../../../session.ts';

/** A correction that was made only once may be a mistake. */
const SUGGESTED_FROM = 2;
const COUNTS_MAX = 200;
const TERM_CHARACTERS_MAX = 100;

export interface Suggestion {
  readonly before: string;
  readonly after: string;
  readonly times: number;
}

const storageKey = (accountId: string): string => `faircopy.corrections.${accountId}`;
const withoutPunctuation = (text: string): string => text.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');

const readCounts = (accountId: string): Suggestion[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(accountId)) ?? '[]');
    return Array.isArray(stored) ? (stored as Suggestion[]) : [];
  } catch {
    return [];
  }
};

const writeCounts = (accountId: string, counts: readonly Suggestion[]): void =>
  localStorage.setItem(storageKey(accountId), JSON.stringify(counts.slice(-COUNTS_MAX)));

/** Counts the replacements between two texts; returns those that are worth suggesting. */
export const countCorrections = (accountId: string, before: string, after: string): Suggestion[] => {
  const counts = readCounts(accountId);
  const changed = new Set<string>();
  for (const change of replacements(before, after)) {
    const [recognised, typed] = [withoutPunctuation(change.before), withoutPunctuation(change.after)];
    if (recognised === '' || typed === '' || recognised === typed || typed.length > TERM_CHARACTERS_MAX) continue;
    const found = counts.findIndex(
      (known) => known.before.toLowerCase() === recognised.toLowerCase() && known.after === typed,
    );
    const [known] = found === -1 ? [] : counts.splice(found, 1);
    counts.push({ before: recognised, after: typed, times: (known?.times ?? 0) + 1 });
    changed.add(typed);
  }
  writeCounts(accountId, counts);
  return counts.filter(({ after: typed, times }) => changed.has(typed) && times >= SUGGESTED_FROM);
};

const forget = (accountId: string, { after }: Suggestion): void =>
  writeCounts(
    accountId,
    readCounts(accountId).filter((known) => known.after !== after),
  );

const addTerm = async (accountId: string, term: string): Promise<void> => {
  const { vocabulary } = await api.account(accountId);
  if (!vocabulary.includes(term)) await api.setVocabulary(accountId, [...vocabulary, term], vocabulary);
};

interface Props {
  readonly suggestions: readonly Suggestion[];
  readonly onDone: (suggestion: Suggestion) => void;
}

export const VocabularySuggestions = ({ suggestions, onDone }: Props) => {
  const { accountId } = useSession();
  const [error, setError] = useState<Error | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const dismiss = (suggestion: Suggestion) => {
    forget(accountId, suggestion);
    onDone(suggestion);
  };
  const add = async (suggestion: Suggestion) => {
    setError(null);
    try {
      await addTerm(accountId, suggestion.after);
      setAdded(suggestion.after);
      dismiss(suggestion);
    } catch (thrown) {
      setError(asError(thrown));
    }
  };
  return (
    <div role="status">
      {suggestions.map((suggestion) => (
        <div key={suggestion.after} class="notice notice-plain">
          <p>
            You changed <em>{suggestion.before}</em> to <em>{suggestion.after}</em>{' '}
            {suggestion.times === 2 ? 'twice' : `${suggestion.times} times`}. Add it to the vocabulary?
          </p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => void add(suggestion)}>
              Add “{suggestion.after}”
            </button>
            <button type="button" onClick={() => dismiss(suggestion)}>
              No
            </button>
          </div>
        </div>
      ))}
      {added ? <p class="notice notice-good">“{added}” is now in the vocabulary.</p> : null}
      {error ? <ErrorNotice error={error} /> : null}
    </div>
  );
};
