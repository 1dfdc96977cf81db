import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSupportedBackends, Tensor } from 'onnxruntime-node';
import { GraphBuilder } from '../graph/build.ts';
import { DATA_TYPE, writeModel } from '../graph/onnx.ts';
import { EXECUTIONS, openSession, useExecution } from './open-session.ts';

const doubling = (): Uint8Array => {
  const graph = new GraphBuilder();
  const x = graph.input('x', DATA_TYPE.float, [1, 'n']);
  graph.op('Add', [x, x], { name: 'y' });
  graph.output('y', DATA_TYPE.float, [1, 'n']);
  return writeModel(graph.build('doubling'));
};

test('every execution provider computes, or falls back to the CPU with one notice', async (t) => {
  t.after(() => useExecution('cpu', () => undefined));
  const offered = listSupportedBackends().map(({ name }) => name);
  for (const execution of EXECUTIONS) {
    const notices: string[] = [];
    useExecution(execution, (text) => notices.push(text));
    for (let nth = 0; nth < 2; nth++) {
      const session = await openSession(doubling(), 1);
      const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 2), [1, 2]) });
      assert.deepEqual([...(y!.data as Float32Array)], [2, 4], execution);
      await session.release();
    }
    if (execution === 'cpu') assert.deepEqual(notices, []);
    else assert.ok(notices.length <= 1, notices.join('\n'));
    if (!offered.includes(execution)) assert.match(notices[0] ?? '', new RegExp(`${execution} cannot be used`));
  }
});
