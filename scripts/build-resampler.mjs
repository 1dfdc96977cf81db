// Compiles the resampler's inner loop (npm run build:resampler) and writes it where TypeScript can import it.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const folder = new URL('../packages/server/src/audio/resampling/', import.meta.url);

const compiledKernel = async () => {
  const module = (await wabt()).parseWat('polyphase.wat', readFileSync(new URL('polyphase.wat', folder), 'utf8'), {
    simd: true,
  });
  module.validate();
  return Buffer.from(module.toBinary({}).buffer).toString('base64');
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const text = (await compiledKernel()).replace(/.{1,100}/g, (line) => `  '${line}' +\n`).replace(/ \+\n$/, '');
  const comment = '// Generated from polyphase.wat by `npm run build:resampler`: about 300 bytes of WebAssembly.';
  writeFileSync(new URL('polyphase-wasm.ts', folder), `${comment}\nexport const POLYPHASE_WASM =\n${text};\n`);
}
