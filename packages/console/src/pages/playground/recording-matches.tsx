// Finds words in the recordings of this tab.
import { excerptsOf } from '@faircopy/transcript';
import { useState } from 'preact/hooks';
import { Excerpt } from '../../components/excerpt.tsx';
import { FindWords } from '../../components/find-words.tsx';
import type { Recording } from './recordings.ts';

const EXCERPTS_MAX = 3;

const textOf = ({ state }: Recording): string => {
  if (state.name === 'answered') return state.answer.result.transcript;
  return state.name === 'live' ? state.finals.map(({ text }) => text).join(' ') : '';
};

interface Props {
  readonly recordings: readonly Recording[];
  readonly onShow: (id: number) => void;
}

export const RecordingMatches = ({ recordings, onShow }: Props) => {
  const [words, setWords] = useState('');
  const matches = recordings
    .map((recording) => ({ recording, excerpts: excerptsOf(textOf(recording), words, EXCERPTS_MAX) }))
    .filter(({ excerpts }) => excerpts.length > 0);
  return (
    <div class="find-recordings">
      <FindWords label="Find words in these recordings" onSearch={setWords} />
      {words !== '' && matches.length === 0 ? <p class="muted">None of them contains these words.</p> : null}
      <ul class="matches" aria-label="Matches">
        {matches.map(({ recording, excerpts }) => (
          <li key={recording.id}>
            <button type="button" class="text-button" onClick={() => onShow(recording.id)}>
              <bdi class="name">{recording.name}</bdi>
            </button>
            {excerpts.map((excerpt) => (
              <p key={excerpt}>
                <Excerpt text={excerpt} words={words} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
};
