// A table whose rows become cards on narrow pages, with optional actions and details per row.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface Column<Row> {
  /** Also labels the value in a card. */
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly class?: string;
  /** Whether this column names the row. */
  readonly isRowHeader?: boolean;
}

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly actions?: (row: Row) => ComponentChildren;
  /** Shown below the row when the user opens it. */
  readonly details?: (row: Row) => ComponentChildren;
  readonly isCompact?: boolean;
  readonly testId?: string;
}

interface RowActionProps {
  readonly text: string;
  /** What the action applies to, for screen readers. */
  readonly of: string;
  readonly isDanger?: boolean;
  readonly onClick: () => void;
}

export const RowAction = ({ text, of, isDanger = false, onClick }: RowActionProps) => (
  <button type="button" class={isDanger ? 'text-button danger-text' : 'text-button'} onClick={onClick}>
    {text}
    <span class="visually-hidden"> {of}</span>
  </button>
);

const headerClass = (name: string | undefined): string | undefined =>
  name === 'number' || name === 'nowrap' ? name : undefined;

const TableRow = <Row,>({ row, ...props }: DataTableProps<Row> & { row: Row }) => {
  const { columns, keyOf, actions, details } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr class={details ? 'record' : undefined}>
        {columns.map(({ title, cell, class: name, isRowHeader }) =>
          isRowHeader ? (
            <th key={title} scope="row" class={name}>
              {cell(row)}
            </th>
          ) : (
            <td key={title} data-label={title} class={name}>
              {cell(row)}
            </td>
          ),
        )}
        {actions || details ? (
          <td class="row-actions">
            {actions?.(row)}
            {details ? (
              <button type="button" class="text-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {isOpen ? 'Less' : 'Details'}
                <span class="visually-hidden"> of {keyOf(row)}</span>
              </button>
            ) : null}
          </td>
        ) : null}
      </tr>
      {details && isOpen ? (
        <tr class="record-details">
          <td colSpan={columns.length + 1}>{details(row)}</td>
        </tr>
      ) : null}
    </>
  );
};

export const DataTable = <Row,>(props: DataTableProps<Row>) => (
  <div class="table-frame">
    <table class={props.isCompact ? 'stacked compact' : 'stacked'} data-testid={props.testId}>
      <thead>
        <tr>
          {props.columns.map(({ title, class: name }) => (
            <th key={title} class={headerClass(name)}>
              {title}
            </th>
          ))}
          {props.actions || props.details ? (
            <th>
              <span class="visually-hidden">Actions</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <TableRow key={props.keyOf(row)} {...props} row={row} />
        ))}
      </tbody>
    </table>
  </div>
);
