// A form that prevents double submission, confirms success and shows errors.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asError } from '../errors.ts';
import { ErrorNotice } from './states.tsx';

export interface FormProps {
  readonly submit: string;
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  readonly onCancel?: () => void;
  /** The text of the cancel button, where "Cancel" would be ambiguous. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /** Shown after a success, until the next change. */
  readonly saved?: string;
  /** Whether to clear the fields after a success, for example passwords. */
  readonly clears?: boolean;
  readonly children?: ComponentChildren;
}

/** The values typed in a field, separated by commas or spaces. */
export const listOf = (values: FormData, name: string): string[] =>
  textOf(values, name)
    .split(/[\s,]+/)
    .filter((part) => part !== '');

export const Form = (props: FormProps) => {
  const { submit, onSubmit, onCancel, cancel = 'Cancel', danger = false, saved, clears = false, children } = props;
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [isSaved, setSaved] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setError(null);
    setSaved(false);
    const form = event.currentTarget as HTMLFormElement;
    try {
      await onSubmit(new FormData(form));
      if (clears) form.reset();
      setSaved(true);
    } catch (thrown) {
      setError(asError(thrown));
    }
    setSending(false);
  };
  return (
    <form onSubmit={send} onInput={() => setSaved(false)}>
      {children}
      {error ? <ErrorNotice error={error} /> : null}
      <div class="form-actions">
        {saved !== undefined ? (
          <span class="saved" role="status">
            {isSaved ? saved : ''}
          </span>
        ) : null}
        {onCancel ? (
          <button type="button" onClick={onCancel}>
            {cancel}
          </button>
        ) : null}
        <button type="submit" class={danger ? 'danger' : 'primary'} disabled={isSending}>
          {isSending ? 'One moment…' : submit}
        </button>
      </div>
    </form>
  );
};

export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? '').trim();
