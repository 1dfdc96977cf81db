import assert from 'node:assert/strict';
import test from 'node:test';
import { TurnOrder } from './turn-order.ts';

test('an owner with many tasks gets as many turns as an owner with one', () => {
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

test('an owner that uses little time does not wait for owners that use much', () => {
  const order = new TurnOrder<string>();
  const busy = Array.from({ length: 40 }, (_, nth) => `busy ${nth}`);
  for (const owner of busy) order.add(owner, owner);
  const turn = (ms: number) => {
    const owner = order.take()!;
    order.charge(owner, ms);
    if (owner !== 'modest') order.add(owner, owner);
    return owner;
  };
  for (let nth = 0; nth < 100; nth++) turn(5);
  for (let slice = 0; slice < 5; slice++) {
    order.add('modest', 'modest');
    assert.equal(turn(0.5), 'modest');
    assert.notEqual(turn(5), 'modest');
  }
});

test('an idle owner saves up no time, and its used time is remembered', () => {
  const order = new TurnOrder<string>();
  const turns = (count: number) =>
    Array.from({ length: count }, () => {
      const owner = order.take()!;
      order.charge(owner, 5);
      order.add(owner, owner);
      return owner;
    });
  order.add('a', 'a');
  turns(100);
  order.add('b', 'b');
  const turnsOfB = turns(100).filter((owner) => owner === 'b').length;
  assert.ok(turnsOfB >= 50 && turnsOfB <= 52, `${turnsOfB} turns`);
  // An owner that leaves briefly after much work comes back behind the others.
  const heavy = new TurnOrder<string>();
  heavy.add('heavy', 'heavy');
  heavy.add('other', 'other');
  assert.equal(heavy.take(), 'heavy');
  heavy.charge('heavy', 50);
  assert.equal(heavy.take(), 'other');
  heavy.charge('other', 5);
  heavy.add('heavy', 'heavy');
  heavy.add('other', 'other');
  assert.deepEqual([heavy.take(), heavy.take()], ['other', 'heavy']);
});
