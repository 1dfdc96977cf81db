// Seconds billed and requests per day, drawn with uPlot in the theme's own colours; the same numbers stand in a table for screen readers.
import type { UsageSummary } from '@faircopy/contract';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const themeColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const DAY_SECONDS = 24 * 60 * 60;

const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

const optionsFor = (width: number): uPlot.Options => {
  const axis = {
    stroke: themeColour('--ink-quiet'),
    grid: { stroke: themeColour('--line'), width: 1 },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars?.({ size: [0.6, 28], align: 0, radius: 0.15 });
  return {
    width,
    height: 240,
    tzDate: (stamp) => uPlot.tzDate(new Date(stamp * 1000), 'UTC'),
    legend: { live: true },
    scales: {
      // Half a day of air on both sides, so that the first and last bar are whole.
      x: { range: (_plot, min, max) => [min - DAY_SECONDS * 0.6, max + DAY_SECONDS * 0.6] },
      requests: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.2)] },
      y: { range: (_p, _min, max) => [0, Math.max(15, max * 1.15)] },
    },
    series: [
      { value: '{YYYY}-{MM}-{DD}' },
      {
        label: 'Seconds billed',
        fill: themeColour('--accent-soft'),
        stroke: themeColour('--accent'),
        width: 1,
        ...(bars ? { paths: bars } : {}),
        points: { show: false },
      },
      {
        label: 'Requests',
        scale: 'requests',
        stroke: themeColour('--warm'),
        width: 2,
        points: { show: true, size: 5 },
      },
    ],
    axes: [
      { ...axis, space: 70 },
      { ...axis, size: 60 },
      { ...axis, scale: 'requests', side: 1, grid: { show: false }, size: 44 },
    ],
  };
};

export const UsageChart = ({ days }: { days: UsageSummary['days'] }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const data: uPlot.AlignedData = [
      days.map((entry) => dayStart(entry.day)),
      days.map((entry) => entry.billed_seconds),
      days.map((entry) => entry.requests),
    ];
    let plot = new uPlot(optionsFor(element.clientWidth), data, element);
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 240 }));
    resize.observe(element);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    const repaint = () => {
      plot.destroy();
      plot = new uPlot(optionsFor(element.clientWidth), data, element);
    };
    theme.addEventListener('change', repaint);
    return () => {
      theme.removeEventListener('change', repaint);
      resize.disconnect();
      plot.destroy();
    };
  }, [days]);
  return (
    <figure class="card chart">
      <div ref={place} aria-hidden="true" />
      <table class="unseen">
        <caption>Seconds billed and requests per day</caption>
        <tbody>
          {days.map((entry) => (
            <tr key={entry.day}>
              <th scope="row">{entry.day}</th>
              <td>{entry.billed_seconds} seconds</td>
              <td>{entry.requests} requests</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
};
