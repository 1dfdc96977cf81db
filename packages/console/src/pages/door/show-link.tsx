// What a link leads to; one that is used up cannot be tried again, and the page says where else to go.
import type { ComponentChildren } from 'preact';
import { ApiFailure } from '../../api/request.ts';
import { HOME } from '../../base-path.ts';
import { Failure, Show } from '../../parts/states.tsx';
import type { Loaded } from '../../parts/use-load.ts';

export const ShowLink = <T,>(props: { of: Loaded<T>; children: (data: T) => ComponentChildren }) => {
  const { load } = props.of;
  if (load.state === 'failed' && load.error instanceof ApiFailure && load.error.code === 'NOT_FOUND')
    return (
      <>
        <Failure error={load.error} />
        <p>
          <a href={`${HOME}/`}>To the sign-in</a>
        </p>
      </>
    );
  return (
    <Show of={props.of} what="your link">
      {props.children}
    </Show>
  );
};
