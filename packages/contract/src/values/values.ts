// The parts of the interface that need no schemas, for small browser bundles: errors, limits, paths.
export * from '../error-table.ts';
export * from '../limits.ts';
export * from '../wire.ts';
export * from './languages.ts';
