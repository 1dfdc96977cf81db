import assert from 'node:assert/strict';
import test from 'node:test';
import { TurnOrder } from './turn-order.ts';

test('an owner with many tasks takes as many turns as an owner with one', () => {
  const order = new TurnOrder<string>();
  for (let nth = 0; nth < 30; nth++) order.add('greedy', `greedy ${nth}`);
  order.add('modest', 'modest');
  const turns: (string | undefined)[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const task = order.take();
    turns.push(task);
    if (task === 'modest') order.add('modest', task);
  }
  assert.equal(turns.filter((task) => task === 'modest').length, 5);
  assert.deepEqual(
    turns.filter((task) => task !== 'modest'),
    ['greedy 0', 'greedy 1', 'greedy 2', 'greedy 3', 'greedy 4'],
  );
});

test('a task that is added twice runs once', () => {
  const order = new TurnOrder<string>();
  order.add('a', 'task');
  order.add('a', 'task');
  assert.deepEqual([order.take(), order.take()], ['task', undefined]);
});
