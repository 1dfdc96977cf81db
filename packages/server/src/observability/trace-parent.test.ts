import assert from 'node:assert/strict';
import test from 'node:test';
import { readTraceParent } from './trace-parent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent names the trace, the span and whether it is sampled', () => {
  assert.deepEqual(readTraceParent(`00-${TRACE}-${SPAN}-01`), { traceId: TRACE, spanId: SPAN, isSampled: true });
  assert.equal(readTraceParent(`00-${TRACE}-${SPAN}-00`)?.isSampled, false);
  assert.equal(readTraceParent(`00-${TRACE}-${SPAN}-03`)?.isSampled, true);
  assert.equal(readTraceParent(`cc-${TRACE}-${SPAN}-01-of-the-future`)?.traceId, TRACE);
});

test('a malformed traceparent is ignored', () => {
  for (const header of [
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`],
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-1`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1_000)}`,
  ])
    assert.equal(readTraceParent(header), null, String(header));
});
