// A list that gets a search field when it is long.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from './field.tsx';
import { Empty } from './states.tsx';

/** Longer lists get a search field. */
const UNSEARCHED_MAX = 12;

interface SearchableListProps<T> {
  readonly what: string;
  readonly items: readonly T[];
  readonly textOf: (item: T) => string;
  readonly children: (found: readonly T[]) => ComponentChildren;
}

export const SearchableList = <T,>({ what, items, textOf, children }: SearchableListProps<T>) => {
  const [search, setSearch] = useState('');
  if (items.length <= UNSEARCHED_MAX) return <>{children(items)}</>;
  const wanted = search.trim().toLowerCase();
  const found = items.filter((item) => textOf(item).toLowerCase().includes(wanted));
  return (
    <>
      <div class="filters filters-few">
        <Field
          label={`Find ${what}`}
          type="search"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 ? <Empty title="No matches" /> : children(found)}
    </>
  );
};
