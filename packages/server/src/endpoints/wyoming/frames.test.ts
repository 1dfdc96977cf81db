import assert from 'node:assert/strict';
import test from 'node:test';
import { FrameFault, FrameParser, frameOf } from './frames.ts';

test('events are complete, however the bytes are split', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"type": "transcribe", "version": "1.10.0", "data_length": 18}\n{"language": "de"}'),
    Buffer.from(
      '{"type":"audio-chunk","data":{"rate":1,"width":2},"data_length":14,"payload_length":4}\n{"rate":16000}',
    ),
    Buffer.from([1, 2, 3, 4]),
    Buffer.from('{"type":"audio-stop"}\n'),
  ]);
  for (const size of [1, 7, bytes.length]) {
    const parser = new FrameParser();
    const events = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...parser.push(bytes.subarray(at, at + size)));
    assert.deepEqual(
      events.map(({ type, data, payload }) => [type, data, [...payload]]),
      [
        ['transcribe', { language: 'de' }, []],
        ['audio-chunk', { rate: 16_000, width: 2 }, [1, 2, 3, 4]],
        ['audio-stop', {}, []],
      ],
    );
  }
});

test('frames are written in the reference form', () => {
  assert.equal(frameOf('pong').toString(), '{"type":"pong","version":"1.10.0"}\n');
  assert.equal(
    frameOf('transcript', { text: 'é' }).toString(),
    '{"type":"transcript","version":"1.10.0","data_length":13}\n{"text":"é"}',
  );
});

test('malformed and oversized frames are refused', () => {
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    '[]\n',
    '{}\n',
    '{"type":"x","payload_length":-1}\n',
    '{"type":"x","payload_length":1048577}\n',
    '{"type":"x","data_length":1.5}\n',
    'x'.repeat(70_000),
  ])
    assert.throws(() => new FrameParser().push(Buffer.from(bytes)), FrameFault, bytes.slice(0, 40));
});
