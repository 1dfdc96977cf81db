// Usage by model or key: the largest first, the rest on demand.
import { useState } from 'preact/hooks';
import { amount, count, counted } from '../../format.ts';

interface ShareRow {
  readonly name: string;
  readonly billed: number;
  readonly requests: number;
  /** Null without a price. */
  readonly cost: string | null;
}

const SHOWN_MAX = 8;

export const Shares = ({ title, rows }: { title: string; rows: readonly ShareRow[] }) => {
  const [all, setAll] = useState(false);
  const sorted = rows.toSorted((a, b) => b.billed - a.billed || b.requests - a.requests);
  const max = Math.max(1, ...rows.map((row) => row.billed));
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="shares">
        {sorted.slice(0, all ? rows.length : SHOWN_MAX).map((row) => (
          <li key={row.name}>
            <span class="name">
              <bdi>{row.name}</bdi>
            </span>
            <span class="muted nowrap">
              {[amount(row.billed), row.cost, counted(row.requests, 'request')].filter(Boolean).join(' · ')}
            </span>
            <meter min={0} max={max} value={row.billed} aria-label={`${row.name}: ${amount(row.billed)}`} />
          </li>
        ))}
      </ul>
      {all || rows.length <= SHOWN_MAX ? null : (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          Show all {count(rows.length)}
        </button>
      )}
    </section>
  );
};
