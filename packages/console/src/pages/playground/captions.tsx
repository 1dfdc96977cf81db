// Live captions: final text in black, interim text in grey.
import type { LiveEvent } from '@faircopy/client';
import { useEffect, useRef } from 'preact/hooks';

export type FinalEvent = Extract<LiveEvent, { type: 'final' }>;

export interface Caption {
  readonly finals: readonly FinalEvent[];
  /** The interim text of the open utterance. */
  readonly interim: string;
}

export const NO_CAPTION: Caption = { finals: [], interim: '' };

export const captionAfter = (caption: Caption, event: LiveEvent): Caption => {
  if (event.type === 'interim') return { ...caption, interim: event.text };
  if (event.type !== 'final') return caption;
  return { finals: event.text === '' ? caption.finals : [...caption.finals, event], interim: '' };
};

export const Captions = ({ caption }: { caption: Caption }) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [caption]);
  const isEmpty = caption.finals.length === 0 && caption.interim === '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can only scroll what has the focus
    <div ref={box} class="captions" data-testid="captions" tabIndex={0} role="log" aria-label="Live captions">
      {isEmpty ? <span class="muted">Words appear here as you speak.</span> : null}
      {caption.finals.map((final) => (
        <span key={final.startSeconds} class="final" dir="auto">
          {final.text}{' '}
        </span>
      ))}
      {/* Screen readers announce finals only. */}
      <span class="interim" aria-hidden="true" dir="auto">
        {caption.interim}
      </span>
    </div>
  );
};
