// The caller's span, from the header `traceparent` of W3C Trace Context.

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the caller records its trace. */
  readonly isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** Null when the header is absent or malformed: the request then starts its own trace. */
export const readTraceParent = (header: string | readonly string[] | undefined): TraceParent | null => {
  if (typeof header !== 'string' || header.length > 512) return null;
  const [, version, traceId, spanId, flags, more] = FORM.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  // Later versions may append fields; version 00 has none, and ff is not a version.
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
};
