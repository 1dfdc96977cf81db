// What a page shows when it has nothing to show yet, nothing at all, or a failure.
import type { ComponentChildren } from 'preact';
import type { Loaded } from './use-load.ts';

export const Loading = ({ what }: { what: string }) => (
  <div class="state" role="status" aria-live="polite">
    <span class="spinner" aria-hidden="true" />
    <p>Loading {what}…</p>
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="state">
    <h3>{title}</h3>
    {children}
  </div>
);

/** Failures of the console's API and of the public client carry these; a failure of the browser carries neither. */
type Told = Error & { readonly code?: unknown; readonly requestId?: unknown };

export const codeOf = ({ code }: Told): string | null => (typeof code === 'string' ? code : null);

export const Failure = ({ error, retry }: { error: Told; retry?: () => void }) => (
  <div class="notice notice-bad" role="alert">
    <p>
      <strong>{codeOf(error) ?? 'Failed'}</strong> {error.message}
      {error.requestId ? <span class="quiet"> Request {String(error.requestId)}.</span> : null}
    </p>
    {retry ? (
      <button type="button" onClick={retry}>
        Try again
      </button>
    ) : null}
  </div>
);

/** Shows the right state of a load, and the content once it is there. */
export const Show = <T,>(props: { of: Loaded<T>; what: string; children: (data: T) => ComponentChildren }) => {
  const { load, reload } = props.of;
  if (load.state === 'loading') return <Loading what={props.what} />;
  if (load.state === 'failed') return <Failure error={load.error} retry={reload} />;
  return <>{props.children(load.data)}</>;
};
