// What a page shows while it loads, when it is empty, and after an error.
import type { ComponentChildren } from 'preact';
import { type CodedError, codeOf } from '../errors.ts';
import type { Loaded } from '../hooks/use-load.ts';

export const Loading = ({ what }: { what: string }) => (
  <div class="state" role="status" aria-live="polite">
    <span class="spinner" aria-hidden="true" />
    <p>Loading {what}…</p>
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="state">
    <p class="state-title">{title}</p>
    {children}
  </div>
);

interface ErrorNoticeProps {
  readonly error: CodedError;
  readonly retry?: () => void;
  readonly help?: string | undefined;
}

export const ErrorNotice = ({ error, retry, help }: ErrorNoticeProps) => {
  // Only the server's log has more details of internal errors.
  const reference = codeOf(error) === 'INTERNAL_ERROR' && error.requestId ? String(error.requestId) : null;
  return (
    <div class="notice notice-bad" role="alert">
      <div>
        <p>{error.message}</p>
        {help ? <p>{help}</p> : null}
        {reference ? <p class="small">The server’s log lists the cause under {reference}.</p> : null}
      </div>
      {retry ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
};

/** Shows the content once it is loaded; until then, the loading state or the error. */
export const Show = <T,>(props: { of: Loaded<T>; what: string; children: (data: T) => ComponentChildren }) => {
  const { load, reload } = props.of;
  if (load.state === 'loading') return <Loading what={props.what} />;
  if (load.state === 'failed') return <ErrorNotice error={load.error} retry={reload} />;
  return <>{props.children(load.data)}</>;
};
