import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../../lib/fault.ts';
import { RecogniserUnavailable } from '../../speech/recogniser.ts';
import { sessionFault } from './session-fault.ts';

test('a fault is passed through', () => {
  const fault = new Fault('SERVICE_UNAVAILABLE', { message: 'Too much audio is waiting for recognition.' });
  assert.equal(sessionFault(fault), fault);
});

test('a speech process that is down is retryable', () => {
  const { code, cause } = sessionFault(new RecogniserUnavailable('recogniser 1 was closed'));
  assert.equal(code, 'SERVICE_UNAVAILABLE');
  assert.ok(cause instanceof RecogniserUnavailable);
});

test('everything else is an internal error with its cause', () => {
  const bug = new TypeError('x is not a function');
  const { code, cause, message } = sessionFault(bug);
  assert.deepEqual([code, cause], ['INTERNAL_ERROR', bug]);
  assert.doesNotMatch(message, /not a function/);
});
