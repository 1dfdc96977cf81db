import assert from 'node:assert/strict';
import test from 'node:test';
import { Metrics } from './metrics.ts';

const request = {
  mode: 'file',
  model: 'svc-1.0-max',
  status: 'success',
  audioSeconds: 4,
  billedSeconds: 15,
  receiveMs: 10,
  recognitionMs: 20,
  refinementMs: null,
  refinementFallback: null,
};

test('a request is counted by its ledger row', async () => {
  const metrics = new Metrics();
  metrics.count(request);
  metrics.count({ ...request, refinementFallback: 'timeout' });
  const page = await metrics.registry.metrics();
  assert.match(page, /faircopy_requests_total\{mode="file",model="svc-1.0-max",code="success"\} 2/);
  assert.match(page, /faircopy_billed_seconds_total\{mode="file",model="svc-1.0-max"\} 30/);
  assert.match(page, /faircopy_refinement_fallbacks_total\{reason="timeout"\} 1/);
  assert.match(page, /faircopy_stage_seconds_count\{mode="file",stage="recognition"\} 2/);
});
