// Formats log entries for terminals: one short line each instead of JSON.
import pc from 'picocolors';
import type { DestinationStream } from 'pino';

const COLOURS: Record<string, (text: string) => string> = { warn: pc.yellow, error: pc.red, fatal: pc.red };

/** Formats pino's JSON like `12:00:01 request method=POST status=200`. Other text passes unchanged. */
export const logLine = (json: string): string => {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(json);
  } catch {
    return json;
  }
  const { level, time, msg, err, ...rest } = entry;
  const colour = COLOURS[String(level)] ?? ((text: string) => text);
  const facts = Object.entries(rest).map(([name, value]) =>
    typeof value === 'object' ? `${name}=${JSON.stringify(value)}` : `${name}=${value}`,
  );
  const lines = [`${pc.dim(String(time).slice(11, 19))} ${colour(String(msg))} ${pc.dim(facts.join(' '))}`];
  const trouble = err as {
    code?: string;
    message?: string;
    stack?: string;
    cause?: { stack?: string; message?: string };
  };
  if (trouble) lines.push(colour(trouble.stack ?? trouble.cause?.stack ?? trouble.message ?? ''));
  return `${lines.join('\n')}\n`;
};

export const logForPeople = (output: { write(text: string): unknown }): DestinationStream => ({
  write: (json) => {
    output.write(logLine(json));
  },
});
