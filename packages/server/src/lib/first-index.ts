// Binary search.

/** Index of the first item for which `isPast` holds; the length if there is none. It must hold for all later items. */
export const firstIndex = <Item>(items: readonly Item[], isPast: (item: Item) => boolean): number => {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
};
