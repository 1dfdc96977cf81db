// A list of terms and values.
import type { ComponentChildren } from 'preact';

interface FactsProps {
  /** Null and false entries are omitted. */
  readonly facts: readonly (readonly [term: string, value: ComponentChildren] | null | false)[];
  readonly class?: string;
}

export const Facts = ({ facts, class: name }: FactsProps) => (
  <dl class={name ? `facts ${name}` : 'facts'}>
    {facts
      .filter((fact) => !!fact)
      .map(([term, value]) => (
        <Fact key={term} term={term} value={value} />
      ))}
  </dl>
);

const Fact = ({ term, value }: { term: string; value: ComponentChildren }) => (
  <>
    <dt>{term}</dt>
    <dd>{value}</dd>
  </>
);
