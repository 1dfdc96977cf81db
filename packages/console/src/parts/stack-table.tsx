// A table whose rows become cards where there is little room.
import type { ComponentChildren } from 'preact';

interface Head {
  readonly text: string;
  readonly class: 'number' | 'nowrap';
}

interface StackTableProps {
  readonly heads: readonly (string | Head)[];
  /** Of a last column with buttons: only those hear it who cannot see them. */
  readonly unseenHead?: string;
  readonly kind?: 'ledger';
  readonly testId?: string;
  readonly children: ComponentChildren;
}

export const number = (text: string): Head => ({ text, class: 'number' });

export const StackTable = ({ heads, unseenHead, kind, testId, children }: StackTableProps) => (
  <div class="table-frame">
    <table class={kind ? `stack ${kind}` : 'stack'} data-testid={testId}>
      <thead>
        <tr>
          {heads.map((head) =>
            typeof head === 'string' ? (
              <th key={head}>{head}</th>
            ) : (
              <th key={head.text} class={head.class}>
                {head.text}
              </th>
            ),
          )}
          {unseenHead ? (
            <th>
              <span class="unseen">{unseenHead}</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
