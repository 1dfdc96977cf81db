// Usage as a bar chart, with the values of the bar under the pointer and a table of all values.
import { useEffect, useRef, useState } from 'preact/hooks';
import { DataTable } from '../../components/data-table.tsx';
import { Choice } from '../../components/field.tsx';
import { ScrollBox } from '../../components/scroll-box.tsx';
import { alignedSeconds, amount, count, counted } from '../../format.ts';
import type { Period } from './days.ts';
import { countScale, timeScale } from './scale.ts';

const HEIGHT = 240;
const EDGE = { top: 12, right: 8, bottom: 28, left: 56 };
const LABEL_WIDTH = 76;

const MEASURES = {
  billed: { text: 'Time billed', of: (period: Period) => period.billedSeconds, scale: timeScale },
  requests: { text: 'Requests', of: (period: Period) => period.requests, scale: countScale },
  errors: { text: 'Errors', of: (period: Period) => period.errors, scale: countScale },
} as const;
type Measure = keyof typeof MEASURES;

const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const at = (day: string): Date => new Date(`${day}T00:00:00Z`);

const nameOf = ({ from, to }: Period): string =>
  from === to ? longDay.format(at(from)) : `${shortDay.format(at(from))} – ${longDay.format(at(to))}`;

const useWidth = () => {
  const container = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [container, width] as const;
};

interface BarsProps {
  readonly periods: readonly Period[];
  readonly measure: Measure;
  readonly width: number;
  readonly onPoint: (at: number | null) => void;
  readonly pointed: number | null;
}

const Bars = ({ periods, measure, width, onPoint, pointed }: BarsProps) => {
  const { of, scale } = MEASURES[measure];
  const { max, ticks } = scale(Math.max(0, ...periods.map(of)));
  const inner = { width: width - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const slot = inner.width / periods.length;
  const bar = Math.max(1, Math.min(40, slot * 0.7));
  const y = (value: number) => EDGE.top + inner.height * (1 - value / max);
  const x = (index: number) => EDGE.left + slot * (index + 0.5);
  const labelEvery = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" class="bars" onPointerLeave={() => onPoint(null)}>
      {ticks.map((tick) => (
        <g key={tick.value}>
          <line class="grid" x1={EDGE.left} x2={width - EDGE.right} y1={y(tick.value)} y2={y(tick.value)} />
          <text class="axis" x={EDGE.left - 8} y={y(tick.value) + 4} text-anchor="end">
            {tick.text}
          </text>
        </g>
      ))}
      {periods.map((period, index) => (
        <g key={period.from} onPointerEnter={() => onPoint(index)}>
          <rect class="slot" x={x(index) - slot / 2} y={EDGE.top} width={slot} height={inner.height} />
          <rect
            class={index === pointed ? 'bar bar-pointed' : 'bar'}
            data-day={period.from}
            x={x(index) - bar / 2}
            y={y(of(period))}
            width={bar}
            height={EDGE.top + inner.height - y(of(period))}
            rx={Math.min(3, bar / 4)}
          />
          {(periods.length - 1 - index) % labelEvery === 0 ? (
            <text class="axis" x={Math.min(x(index), width - 24)} y={HEIGHT - 8} text-anchor="middle">
              {shortDay.format(at(period.to))}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  );
};

const ValueTable = ({ periods }: { periods: readonly Period[] }) => (
  <details class="chart-table">
    <summary>Show as table</summary>
    <ScrollBox label="Usage per day" class="table-tall">
      <DataTable
        rows={periods.toReversed()}
        keyOf={({ from }) => from}
        isCompact
        columns={[
          {
            title: periods.some(({ from, to }) => from !== to) ? 'Week (UTC)' : 'Day (UTC)',
            isRowHeader: true,
            cell: nameOf,
          },
          { title: 'Billed (s)', class: 'number', cell: ({ billedSeconds }) => alignedSeconds(billedSeconds) },
          { title: 'Audio (s)', class: 'number', cell: ({ audioSeconds }) => alignedSeconds(audioSeconds) },
          {
            title: 'Failed audio (s)',
            class: 'number',
            cell: ({ failedAudioSeconds }) => alignedSeconds(failedAudioSeconds),
          },
          { title: 'Requests', class: 'number', cell: ({ requests }) => count(requests) },
          { title: 'Errors', class: 'number', cell: ({ errors }) => count(errors) },
        ]}
      />
    </ScrollBox>
  </details>
);

export const UsageChart = ({ periods }: { periods: readonly Period[] }) => {
  const [container, width] = useWidth();
  const [measure, setMeasure] = useState<Measure>('billed');
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = pointed === null ? undefined : periods[pointed];
  return (
    <figure class="card chart">
      <div class="chart-head">
        <Choice
          label="Chart of"
          value={measure}
          onChange={setMeasure}
          options={(Object.keys(MEASURES) as Measure[]).map((id) => [id, MEASURES[id].text] as const)}
        />
        <p class="chart-figures" data-testid="chart-figures">
          {shown ? (
            <>
              {nameOf(shown)}: {amount(shown.billedSeconds)} billed, {counted(shown.requests, 'request')},{' '}
              {counted(shown.errors, 'error')}
            </>
          ) : (
            <span class="muted">Point at a bar to see its values.</span>
          )}
        </p>
      </div>
      <div ref={container}>
        {width > 0 ? (
          <Bars periods={periods} measure={measure} width={width} pointed={pointed} onPoint={setPointed} />
        ) : null}
      </div>
      <ValueTable periods={periods} />
    </figure>
  );
};
