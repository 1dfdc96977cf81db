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
    <p class="state-title">{title}</p>
    {children}
  </div>
);

/** Failures of the console's API and of the public client carry these; a failure of the browser carries neither. */
type Told = Error & { readonly code?: unknown; readonly requestId?: unknown };

export const codeOf = ({ code }: Told): string | null => (typeof code === 'string' ? code : null);

/** The sentence first; the code and the request's id, for support, behind it. */
export const Failure = ({ error, retry, help }: { error: Told; retry?: () => void; help?: string | undefined }) => (
  <div class="notice notice-bad" role="alert">
    <div>
      <p>{error.message}</p>
      {help ? <p>{help}</p> : null}
      {codeOf(error) || error.requestId ? (
        <p class="small">
          {codeOf(error)}
          {error.requestId ? ` · request ${String(error.requestId)}` : ''}
        </p>
      ) : null}
    </div>
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
