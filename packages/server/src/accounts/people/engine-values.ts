// Truth values and times as each engine and the sign-in library write them.
import type { Engine } from '../../storage/engine.ts';

export const booleanFor = (engine: Engine, value: boolean): never =>
  (engine === 'sqlite' ? Number(value) : value) as never;

export const timeFor = (engine: Engine, at = new Date()): never =>
  (engine === 'sqlite' ? at.toISOString() : at) as never;
