// The transcript as paragraphs by speaker. Each paragraph can be assigned to another speaker.
import { labelIn, type Paragraph, paragraphs, reassigned, type SpokenParts } from '@faircopy/transcript';
import type { TextViewProps } from '../text-views.tsx';
import { Part } from '../words.tsx';
import { colourOf } from './colours.ts';

interface Props extends TextViewProps {
  readonly parts: SpokenParts;
  readonly onChange: (parts: SpokenParts) => void;
}

export const SpeakerText = ({ parts, onChange, transcript, words, terms, playing, onPlay }: Props) => {
  const label = labelIn(parts);
  let at = 0;
  const give = (paragraph: Paragraph, to: string) =>
    onChange(reassigned(parts, transcript.source.words, paragraph, to === 'new' ? 'new' : Number(to)));
  return (
    <div class="turns" data-testid="transcript">
      {paragraphs(words).map((paragraph) => {
        const first = at;
        at += paragraph.words.length;
        const { speaker } = paragraph;
        return (
          <div key={first} class={`turn ${colourOf(speaker)}`}>
            <select
              class="turn-speaker"
              aria-label={`Who says “${paragraph.text.slice(0, 40)}”`}
              value={speaker === null ? '' : String(speaker)}
              onChange={(event) => give(paragraph, event.currentTarget.value)}
            >
              {speaker === null ? <option value="">Unknown</option> : null}
              {parts.people.map((person) => (
                <option key={person.speaker} value={String(person.speaker)}>
                  {label(person.speaker)}
                </option>
              ))}
              <option value="new">Somebody else</option>
            </select>
            <p class="transcript" lang={transcript.source.language ?? ''} dir="auto">
              {paragraph.words.map((word, index) => (
                <span key={index}>
                  {index === 0 ? '' : word.gap}
                  <Part
                    part={{ text: word.text, word: first + index }}
                    word={word}
                    isPlaying={first + index === playing}
                    term={terms.get(first + index)}
                    onPlay={onPlay}
                  />
                </span>
              ))}
            </p>
          </div>
        );
      })}
    </div>
  );
};
