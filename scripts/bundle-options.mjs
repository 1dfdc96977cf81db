// The esbuild options that the bundles of the server and of its tests share.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Libraries of many ES modules, which are bundled. All others stay unbundled: the exports of CommonJS modules are known
 * only when they run, and some libraries have their own native code, data or threads.
 */
const JOINED = [
  'zod',
  '@modelcontextprotocol/server',
  '@faircopy/contract',
  '@faircopy/transcript',
  '@faircopy/client',
];

/** The libraries that stay unbundled, of all that the package in `folder` depends on. */
export const notJoined = (folder, ...kinds) => {
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const libraries = ['dependencies', ...kinds].flatMap((kind) => Object.keys(description[kind]));
  const names = libraries.filter((name) => !JOINED.includes(name));
  return [...names.flatMap((name) => [name, `${name}/*`]), 'bun:sqlite'];
};

/** Keeps the original `import.meta.url` of each module, so that modules still find files beside themselves. */
const keepPlaces = (isOurs, urlOf) => ({
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!isOurs(path)) return;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return;
      return { contents: text.replaceAll('import.meta.url', urlOf(path)) };
    });
  },
});

/** Provides `require` to CommonJS libraries. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** In modules that are ours, `urlOf` gives the expression that replaces `import.meta.url`. */
export const bundleOptions = ({ folder, target, isOurs, urlOf, prologue = '' }) => ({
  absWorkingDir: folder,
  outdir: target,
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: { js: REQUIRE + prologue },
  plugins: [keepPlaces(isOurs, urlOf)],
  metafile: true,
  logLevel: 'warning',
});
