// A form that is sent once at a time and shows why it failed.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from './states.tsx';

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  readonly onCancel?: () => void;
  readonly danger?: boolean;
  readonly children?: ComponentChildren;
}

export const Form = ({ submit, onSubmit, onCancel, danger = false, children }: FormProps) => {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setError(null);
    try {
      await onSubmit(new FormData(event.currentTarget as HTMLFormElement));
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    setSending(false);
  };
  return (
    <form onSubmit={send}>
      {children}
      {error ? <Failure error={error} /> : null}
      <div class="form-actions">
        {onCancel ? (
          <button type="button" onClick={onCancel}>
            Cancel
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
