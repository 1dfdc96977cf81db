// Uses the Wyoming port like Home Assistant: lists the models and transcribes a WAV file.
// node examples/home-assistant.mjs localhost 10300 voice.wav
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [host = 'localhost', port = '10300', path] = process.argv.slice(2);
const CHUNK_BYTES = 2048;

/** An event is a line of JSON, then its data as JSON, then raw bytes. */
const write = (socket, type, data = {}, payload = Buffer.alloc(0)) => {
  const text = JSON.stringify(data);
  const lengths = { data_length: Buffer.byteLength(text), payload_length: payload.length };
  socket.write(`${JSON.stringify({ type, version: '1.0.0', ...lengths })}\n${text}`);
  socket.write(payload);
};

async function* events(socket) {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\n');
      if (end < 0) break;
      const { type, data, data_length = 0, payload_length = 0 } = JSON.parse(received.subarray(0, end));
      const dataEnd = end + 1 + data_length;
      if (received.length < dataEnd + payload_length) break;
      const more = data_length > 0 ? JSON.parse(received.subarray(end + 1, dataEnd)) : {};
      received = received.subarray(dataEnd + payload_length);
      yield { type, data: { ...data, ...more } };
    }
  }
}

/** The samples of a plain 16-bit WAV file. */
const readWav = (bytes) => {
  const [channels, rate, width] = [bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34) / 8];
  return { format: { rate, width, channels }, audio: bytes.subarray(bytes.indexOf('data') + 8) };
};

const socket = connect(Number(port), host);
write(socket, 'describe');
for await (const { type, data } of events(socket)) {
  if (type === 'error') throw new Error(data.text);
  if (type === 'info') {
    console.log(`models: ${data.asr.flatMap(({ models }) => models.map(({ name }) => name)).join(', ')}`);
    if (path === undefined) break;
    const { format, audio } = readWav(readFileSync(path));
    write(socket, 'transcribe', { language: 'en' });
    write(socket, 'audio-start', format);
    for (let at = 0; at < audio.length; at += CHUNK_BYTES)
      write(socket, 'audio-chunk', format, audio.subarray(at, at + CHUNK_BYTES));
    write(socket, 'audio-stop');
  }
  if (type === 'transcript') {
    console.log(`heard: ${data.text}`);
    break;
  }
}
socket.destroy();
