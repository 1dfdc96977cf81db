// Suggests corrected words for the vocabulary. Declined suggestions are stored only in this browser.
import { isFunctionWord, replacements } from '@faircopy/transcript';
import { useState } from 'preact/hooks';
import { api } from '../../../api/api.ts';
import { ErrorNotice } from '../../../components/states.tsx';
import { asError } from '../../../errors.ts';
import { useSession } from '../../../session.ts';

const DECLINED_MAX = 200;
const TERM_CHARACTERS_MAX = 100;
/** Longer corrections are new sentences, not terms. */
const TERM_WORDS_MAX = 5;

export interface Suggestion {
  readonly before: string;
  readonly after: string;
}

const storageKey = (accountId: string): string => `faircopy.declined-terms.${accountId}`;
const withoutPunctuation = (text: string): string => text.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
const wordsIn = (text: string): string[] => text.split(/\s+/).map(withoutPunctuation).filter(Boolean);

const readDeclined = (accountId: string): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(accountId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((term) => typeof term === 'string') : [];
  } catch {
    return [];
  }
};

const decline = (accountId: string, { after }: Suggestion): void =>
  localStorage.setItem(storageKey(accountId), JSON.stringify([...readDeclined(accountId), after].slice(-DECLINED_MAX)));

/** Corrections that contain a word found neither in the text nor in the vocabulary. */
export const suggestionsFor = (before: string, after: string, known: readonly string[]): Suggestion[] => {
  const words = wordsIn(before);
  // A capitalised form is a new word: a text with "fair copy" does not make "Fair Copy" known.
  const heard = new Set([...words, ...words.map((word) => word.toLowerCase())]);
  const isUnknown = (word: string) => /\p{L}/u.test(word) && !heard.has(word) && !isFunctionWord(word);
  const found = new Map<string, Suggestion>();
  for (const change of replacements(before, after)) {
    const [recognised, typed] = [withoutPunctuation(change.before), withoutPunctuation(change.after)];
    const parts = wordsIn(typed);
    const isTerm = recognised !== '' && parts.length <= TERM_WORDS_MAX && typed.length <= TERM_CHARACTERS_MAX;
    if (isTerm && parts.some(isUnknown) && !known.includes(typed))
      found.set(typed, { before: recognised, after: typed });
  }
  return [...found.values()];
};

/** Rejects if the vocabulary cannot be loaded. */
export const loadSuggestions = async (accountId: string, before: string, after: string): Promise<Suggestion[]> => {
  const { vocabulary } = await api.account(accountId);
  return suggestionsFor(before, after, [...vocabulary, ...readDeclined(accountId)]);
};

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
  const add = async (suggestion: Suggestion) => {
    setError(null);
    try {
      await addTerm(accountId, suggestion.after);
      setAdded(suggestion.after);
      onDone(suggestion);
    } catch (thrown) {
      setError(asError(thrown));
    }
  };
  return (
    <div class="suggestions" role="status">
      {suggestions.map((suggestion) => (
        <div key={suggestion.after} class="notice notice-plain">
          <p>
            Add <bdi class="name">“{suggestion.after}”</bdi> to the vocabulary, so that it is recognised next time?
          </p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => void add(suggestion)}>
              Add<span class="visually-hidden"> “{suggestion.after}”</span>
            </button>
            <button
              type="button"
              onClick={() => {
                decline(accountId, suggestion);
                onDone(suggestion);
              }}
            >
              No<span class="visually-hidden"> to “{suggestion.after}”</span>
            </button>
          </div>
        </div>
      ))}
      {added ? <p class="notice notice-good">“{added}” is now in the vocabulary.</p> : null}
      {error ? <ErrorNotice error={error} /> : null}
    </div>
  );
};
