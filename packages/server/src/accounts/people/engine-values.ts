// Booleans and times in the form that the sign-in library stores on each engine.
import type { Engine } from '../../storage/engine.ts';

export const booleanFor = (engine: Engine, value: boolean): never =>
  (engine === 'sqlite' ? Number(value) : value) as never;

export const timeFor = (engine: Engine, at = new Date()): never =>
  (engine === 'sqlite' ? at.toISOString() : at) as never;
