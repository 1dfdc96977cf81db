// Everything a client or a server needs to speak the interface.
export * from './cluster.ts';
export * from './console.ts';
export * from './detail.ts';
export * from './error-table.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './jobs.ts';
export * from './json-schemas.ts';
export * from './limits.ts';
export * from './models.ts';
export * from './openai.ts';
export * from './openapi.ts';
export * from './refinement.ts';
export * from './result.ts';
export * from './stream.ts';
export * from './usage-record.ts';
export * from './wire.ts';
