// Compiles the examples in the READMEs against the installed packages, strictly, with Node's and bundlers' resolution.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './packages.mjs';

const examplesOf = (readme) =>
  [...readFileSync(join(root, readme), 'utf8').matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map(([, code]) => code);

const EXAMPLES = ['README.md', 'packages/client/README.md', 'packages/contract/README.md'].flatMap(examplesOf);

const compile = (folder, name, options, files) => {
  const config = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
      ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], ...options },
    },
    files,
  };
  writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config));
  const require = createRequire(join(root, 'package.json'));
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], { cwd: folder, stdio: 'inherit' });
  console.log(`TypeScript, strict, moduleResolution ${name}: ${files.length} examples compile`);
};

export const checkTypeScript = (folder) => {
  const files = EXAMPLES.map((code, index) => {
    const needsKey = /\bapiKey\b(?!:)/.test(code.replaceAll(/apiKey:/g, ''));
    const file = `example-${index}.ts`;
    // Declares the key that an example expects its page to provide.
    writeFileSync(join(folder, file), `${needsKey ? 'declare const apiKey: string;\n' : ''}${code}\nexport {};\n`);
    return { file, needsBundler: code.includes('?url') };
  });
  const forNode = files.filter(({ needsBundler }) => !needsBundler).map(({ file }) => file);
  compile(folder, 'nodenext', { module: 'nodenext', types: ['node'] }, forNode);
  const all = files.map(({ file }) => file);
  const bundler = { module: 'esnext', moduleResolution: 'bundler', types: ['node', 'vite/client'], skipLibCheck: true };
  compile(folder, 'bundler', bundler, all);
};
