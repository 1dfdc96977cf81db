// A button that copies text and confirms it, also to screen readers.
import { useEffect, useState } from 'preact/hooks';

export const CopyButton = ({ text, label = 'Copy' }: { text: string; label?: string }) => {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (outcome === 'idle') return;
    const timer = setTimeout(() => setOutcome('idle'), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    // Pages without https have no clipboard; the user can still select the text.
    (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  const caption = { idle: label, copied: 'Copied', failed: 'Select the text to copy it' }[outcome];
  return (
    <button type="button" class="copy" onClick={copy}>
      <span aria-live="polite">{caption}</span>
    </button>
  );
};
