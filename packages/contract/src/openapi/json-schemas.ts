// The registered schemas as JSON Schema, for the OpenAPI and AsyncAPI documents.
import { z } from 'zod';

export type Json = Record<string, unknown>;

export const schemaReference = (id: string): string => `#/components/schemas/${id}`;

/** Every registered schema, by its id. */
export const registeredSchemas = (io: 'input' | 'output'): Readonly<Record<string, Json>> =>
  z.toJSONSchema(z.globalRegistry, { uri: schemaReference, io, override: allowUnknownFields })
    .schemas as unknown as Record<string, Json>;

/** Answers may get new fields, so a generated client must not reject unknown ones. */
const allowUnknownFields = ({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }): void => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** The named schemas, and all schemas they refer to. */
export const componentSchemas = (ids: readonly string[], io: 'input' | 'output' = 'output'): Record<string, Json> => {
  const all = registeredSchemas(io);
  const found = new Map<string, Json>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    const { $id: _id, $schema: _schema, ...schema } = all[id] ?? {};
    found.set(id, schema);
    for (const [, next] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) add(next ?? '');
  };
  for (const id of ids) add(id);
  return Object.fromEntries(found);
};
