// Shows the progress of the model store: a bar on a terminal, plain lines elsewhere.
import pc from 'picocolors';
import type { StoreEvent } from './store.ts';

const BAR_CELLS = 28;
const REDRAW_MS = 80;
/** Without a terminal, a line is written after each further share of this size. */
const LINE_EVERY = 0.25;

interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface StoreProgress {
  report(event: StoreEvent): void;
  /** Removes an unfinished bar, so that the line is empty for other output. */
  end(): void;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

const bar = (part: number, colours: ReturnType<typeof pc.createColors>): string => {
  const full = Math.round(Math.min(1, part) * BAR_CELLS);
  return colours.green('━'.repeat(full)) + colours.dim('━'.repeat(BAR_CELLS - full));
};

export const storeProgress = (output: ProgressOutput, now: () => number = Date.now): StoreProgress => {
  const isTerminal = output.isTTY === true;
  const colours = pc.createColors(isTerminal && pc.isColorSupported);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isBarShown = false;
  let label = '';
  let linesWritten = 0;

  const clear = () => {
    if (isBarShown) output.write('\r\x1b[K');
    isBarShown = false;
  };
  const draw = (text: string) => {
    output.write(`\r\x1b[K${text}`);
    isBarShown = true;
  };
  const onTerminal = (done: number, total: number | undefined) => {
    if (now() - drawnAt < REDRAW_MS && done !== total) return;
    drawnAt = now();
    if (total === undefined) draw(`${label}  ${colours.dim(done > 0 ? megabytes(done) : 'downloading')}`);
    else draw(`${label}  ${bar(done / total, colours)}  ${megabytes(done)} of ${megabytes(total)}`);
    if (done === total) {
      output.write('\n');
      isBarShown = false;
    }
  };
  const onPlain = (done: number, total: number | undefined) => {
    const step = total ? Math.floor(done / total / LINE_EVERY) : 0;
    if (step < linesWritten) return;
    linesWritten = step + 1;
    output.write(`${label}: ${total ? `${megabytes(done)} of ${megabytes(total)}` : 'downloading'}\n`);
  };

  return {
    report(event) {
      if (event.kind === 'note') {
        clear();
        output.write(`${event.text}\n`);
        return;
      }
      if (event.label !== label) {
        clear();
        label = event.label;
        linesWritten = 0;
      }
      (isTerminal ? onTerminal : onPlain)(event.bytesDone, event.bytesTotal);
    },
    end: clear,
  };
};
