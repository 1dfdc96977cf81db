// The layout of the pages before sign-in, and the state of their links.
import type { ComponentChildren } from 'preact';
import { ApiError } from '../../api/request.ts';
import { useTitle } from '../../components/page-header.tsx';
import { ErrorNotice, Show } from '../../components/states.tsx';
import type { Loaded } from '../../hooks/use-load.ts';
import { CONSOLE_PATH } from '../../paths.ts';

interface SignInLayoutProps {
  /** For the browser tab. */
  readonly title: string;
  readonly heading: string;
  readonly children: ComponentChildren;
}

export const SignInLayout = ({ title, heading, children }: SignInLayoutProps) => {
  useTitle(title);
  return (
    <main class="sign-in-page">
      <img src={`${CONSOLE_PATH}/icon.svg`} alt="" width="44" height="44" />
      <h1>{heading}</h1>
      {children}
    </main>
  );
};

/** The content for a link. A link that no longer works leads to the sign-in page, because retrying cannot help. */
export const ShowLink = <T,>(props: { of: Loaded<T>; children: (data: T) => ComponentChildren }) => {
  const { load } = props.of;
  if (load.state === 'failed' && load.error instanceof ApiError && load.error.code === 'NOT_FOUND')
    return (
      <>
        <ErrorNotice error={load.error} />
        <p>
          <a href={`${CONSOLE_PATH}/`}>Go to the sign-in page</a>
        </p>
      </>
    );
  return (
    <Show of={props.of} what="your link">
      {props.children}
    </Show>
  );
};
