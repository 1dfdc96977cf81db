// One lane per speaker below the waveform: name, stretches of speech, and actions.
import { labelIn, merged, renamed, type SpokenParts, stretchesOf, type WrittenWord } from '@faircopy/transcript';
import { amount } from '../../../../format.ts';
import { colourOf } from './colours.ts';

interface Props {
  readonly parts: SpokenParts;
  readonly words: readonly WrittenWord[];
  readonly durationSeconds: number;
  /** The speaker that is playing alone; null if none is. */
  readonly alone: number | null;
  readonly onChange: (parts: SpokenParts) => void;
  /** Null when the recording cannot be played. */
  readonly onPlay: ((speaker: number) => void) | null;
}

export const SpeakerLanes = ({ parts, words, durationSeconds, alone, onChange, onPlay }: Props) => {
  const label = labelIn(parts);
  const share = (ms: number): string => `${Math.min(100, ms / 10 / Math.max(durationSeconds, 0.01)).toFixed(2)}%`;
  return (
    <ul class="lanes" aria-label="Speakers">
      {parts.people.map(({ speaker, name, isNameSure }) => {
        const stretches = stretchesOf(words, speaker);
        const seconds = stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
        const others = parts.people.filter((person) => person.speaker !== speaker);
        return (
          <li key={speaker} class={`lane ${colourOf(speaker)}`} data-testid="lane">
            <div class="lane-head">
              <span class="swatch" aria-hidden="true" />
              <input
                class="lane-name"
                aria-label={`Name of ${label(speaker)}`}
                value={name ?? ''}
                placeholder={label(speaker)}
                maxLength={100}
                onChange={(event) => onChange(renamed(parts, speaker, event.currentTarget.value))}
              />
              {name !== null && !isNameSure ? <span class="muted small">maybe</span> : null}
              <span class="muted small lane-seconds">{amount(Math.round(seconds))}</span>
              <div class="lane-actions">
                {onPlay ? (
                  <button
                    type="button"
                    class="text-button"
                    aria-pressed={alone === speaker}
                    onClick={() => onPlay(speaker)}
                  >
                    {alone === speaker ? 'Stop' : 'Play'}
                    <span class="visually-hidden"> only {label(speaker)}</span>
                  </button>
                ) : null}
                {others.length > 0 ? (
                  <select
                    class="lane-merge"
                    aria-label={`Merge ${label(speaker)} with`}
                    value=""
                    onChange={(event) => {
                      const into = event.currentTarget.value;
                      if (into !== '') onChange(merged(parts, speaker, Number(into)));
                    }}
                  >
                    <option value="">Merge…</option>
                    {others.map((other) => (
                      <option key={other.speaker} value={String(other.speaker)}>
                        with {label(other.speaker)}
                      </option>
                    ))}
                  </select>
                ) : null}
              </div>
            </div>
            <div class="lane-track" aria-hidden="true">
              {stretches.map(({ startMs, endMs }) => (
                <span
                  key={startMs}
                  class="lane-stretch"
                  style={{ left: share(startMs), width: share(Math.max(endMs - startMs, 50)) }}
                />
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
};
