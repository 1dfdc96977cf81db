// Words while they are spoken: what has settled in ink, what may still change in grey.
import type { LiveEvent } from '@faircopy/client';
import { useEffect, useRef } from 'preact/hooks';

export type FinalEvent = Extract<LiveEvent, { type: 'final' }>;

export interface Caption {
  readonly finals: readonly FinalEvent[];
  /** The open utterance as it seems now. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard
    <div ref={box} class="captions" data-testid="captions" tabIndex={0} role="log" aria-label="Live captions">
      {isEmpty ? <span class="quiet">Speak: words appear here.</span> : null}
      {caption.finals.map((final) => (
        <span key={final.startSeconds} class="final" dir="auto">
          {final.text}{' '}
        </span>
      ))}
      {/* Screen readers are told what has settled, not every guess. */}
      <span class="interim" aria-hidden="true" dir="auto">
        {caption.interim}
      </span>
    </div>
  );
};
