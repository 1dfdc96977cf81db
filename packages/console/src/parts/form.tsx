// A form that is sent once at a time, says that it was saved, and shows why it failed.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from './states.tsx';

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  readonly onCancel?: () => void;
  /** What leaving without sending is called, where "Cancel" could mean the other button. */
  readonly cancel?: string;
  readonly danger?: boolean;
  /** Said after a success, and taken back at the next change. */
  readonly saved?: string;
  /** Whether the fields are emptied after a success, as passwords are. */
  readonly clears?: boolean;
  readonly children?: ComponentChildren;
}

export const Form = (props: FormProps) => {
  const { submit, onSubmit, onCancel, cancel = 'Cancel', danger = false, saved, clears = false, children } = props;
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [isSaved, setSaved] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setError(null);
    setSaved(false);
    const form = event.currentTarget as HTMLFormElement;
    try {
      await onSubmit(new FormData(form));
      if (clears) form.reset();
      setSaved(true);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    setSending(false);
  };
  return (
    <form onSubmit={send} onInput={() => setSaved(false)}>
      {children}
      {error ? <Failure error={error} /> : null}
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
        <button type="submit" class={danger ? 'danger' : 'primary'} disabled={sending}>
          {sending ? 'One moment…' : submit}
        </button>
      </div>
    </form>
  );
};

export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? '').trim();
