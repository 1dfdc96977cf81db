// A long list with a field that narrows it; a short one as it is.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from './field.tsx';
import { Empty } from './states.tsx';

/** A list of so many is read at a glance. */
const GLANCE_MAX = 12;

interface FinderProps<T> {
  readonly what: string;
  readonly items: readonly T[];
  readonly textOf: (item: T) => string;
  readonly children: (found: readonly T[]) => ComponentChildren;
}

export const Finder = <T,>({ what, items, textOf, children }: FinderProps<T>) => {
  const [sought, setSought] = useState('');
  if (items.length <= GLANCE_MAX) return <>{children(items)}</>;
  const wanted = sought.trim().toLowerCase();
  const found = items.filter((item) => textOf(item).toLowerCase().includes(wanted));
  return (
    <>
      <div class="filters filters-few">
        <Field
          label={`Find ${what}`}
          type="search"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 ? <Empty title="Nothing has that in its name" /> : children(found)}
    </>
  );
};
