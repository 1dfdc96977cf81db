import assert from 'node:assert/strict';
import test from 'node:test';
import { CLOSE_CODES, streamParameters } from '@faircopy/contract';
import { asyncApiDocument } from './asyncapi.ts';

const document = asyncApiDocument();

test('every reference in the AsyncAPI document resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
  assert.ok(references.length > 10);
  for (const path of references) {
    const target = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    assert.notEqual(target, undefined, path);
  }
});

test('the document names every parameter, every close code and the text messages', () => {
  const { properties, required } = document.channels.stream.bindings.ws.query as {
    properties: Record<string, { minimum?: number }>;
    required: string[];
  };
  assert.deepEqual(
    Object.keys(properties).sort(),
    ['token', 'languages', 'redact', 'tag', 'vocabulary', ...Object.keys(streamParameters.shape)].sort(),
  );
  assert.deepEqual(required, ['token', 'model']);
  assert.equal(properties.sample_rate?.minimum, 8000);
  for (const code of Object.values(CLOSE_CODES)) assert.match(document.info.description, new RegExp(`- ${code} `));
  const { schemas } = document.components as unknown as {
    schemas: Record<string, { properties: Record<string, { const: string }> }>;
  };
  const types = ['KeepAlive', 'CloseStream', 'ResultMessage', 'ErrorMessage', 'TurnMessage'].map(
    (id) => schemas[id]?.properties.type?.const,
  );
  assert.deepEqual(types, ['keep_alive', 'close_stream', 'result', 'error', 'turn']);
});
