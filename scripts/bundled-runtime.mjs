// Prepares the copy of onnxruntime-node that is shipped inside the server's package.
// On Linux x64, the original's install script downloads CUDA libraries from outside the npm registry and fails offline.
// The copy has no install script and no binaries for unsupported platforms. See docs/decisions/packages.md.
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const PLATFORMS = ['linux/x64', 'linux/arm64', 'darwin/arm64'];

const LICENSE = `MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** Uses hard links if the file system supports them, because the binaries are large. */
const linkFolder = (from, to) => {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    try {
      linkSync(join(from, name), join(to, name));
    } catch {
      cpSync(join(from, name), join(to, name));
    }
  }
};

export const prepareBundledRuntime = (root) => {
  const source = join(root, 'node_modules', 'onnxruntime-node');
  const target = join(root, 'packages', 'server', 'node_modules', 'onnxruntime-node');
  // If npm has installed the only copy below the server, there is no source to copy.
  if (!existsSync(join(source, 'package.json'))) return;
  const description = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const present = join(target, 'package.json');
  if (existsSync(present) && JSON.parse(readFileSync(present, 'utf8')).version === description.version) return;
  const { name, version, description: about, license, repository, main, types, dependencies } = description;
  // Created under another name and moved at the end, so that an interrupted build does not look complete.
  const draft = `${target}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  cpSync(join(source, 'dist'), join(draft, 'dist'), { recursive: true });
  for (const platform of PLATFORMS)
    linkFolder(join(source, 'bin/napi-v6', platform), join(draft, 'bin/napi-v6', platform));
  writeFileSync(join(draft, 'LICENSE'), LICENSE);
  const kept = {
    ...{ name, version, description: about, license, repository, main, types },
    dependencies: { 'onnxruntime-common': dependencies['onnxruntime-common'] },
  };
  writeFileSync(join(draft, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
};
