// Renders the Kubernetes overlays and checks every object against the API's types, to catch misspelt fields.
// Needs kubectl; the types and the YAML parser are installed into a temporary folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkSelectors } from './release/check-selectors.mjs';
import { translatedCopy } from './release/old-kustomize.mjs';
import { root } from './release/packages.mjs';

const TOOLS = ['kubernetes-types@1.30.0', 'yaml@2.9.1'];
/** The used part of the type of KEDA's autoscaler, which no package provides. */
const KEDA = `export interface ScaledObject {
  apiVersion: string; kind: string; metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec: {
    scaleTargetRef: { name: string }; minReplicaCount?: number; maxReplicaCount?: number;
    pollingInterval?: number; cooldownPeriod?: number;
    triggers: {
      type: 'prometheus'; metricType?: 'Value' | 'AverageValue';
      metadata: { serverAddress: string; query: string; threshold: string };
    }[];
  };
}`;
/** The module with the types of an API version: kubernetes-types has one per API group and version. */
const moduleOf = (apiVersion) => {
  if (apiVersion.startsWith('keda.sh/')) return './keda.ts';
  return `kubernetes-types/${(apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`).replace('.k8s.io', '')}`;
};

/** Since version 1.21, the kustomize inside kubectl supports the current fields. */
const isOld = () => {
  const answer = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { major, minor } = JSON.parse(answer).clientVersion;
  return Number(major) === 1 && Number.parseInt(minor, 10) < 21;
};

const scratch = mkdtempSync(join(tmpdir(), 'faircopy-manifests-'));
try {
  writeFileSync(join(scratch, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...TOOLS], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const yaml = createRequire(join(scratch, 'package.json'))('yaml');
  const { parseAllDocuments } = yaml;
  const manifests = join(root, 'deploy/kubernetes');
  const rendered = isOld() ? translatedCopy(manifests, join(scratch, 'kubernetes'), yaml) : manifests;
  const folders = ['overlays', 'egress'].flatMap((kind) =>
    readdirSync(join(rendered, kind)).map((name) => join(kind, name)),
  );
  const checks = folders.flatMap((overlay) => {
    const text = execFileSync('kubectl', ['kustomize', join(rendered, overlay)], { encoding: 'utf8' });
    return parseAllDocuments(text).map((document) => ({ overlay, object: document.toJSON() }));
  });
  checkSelectors(checks);
  const source = checks
    .map(
      ({ object: { kind, apiVersion, ...rest } }, index) =>
        `import type { ${kind} as Kind${index} } from '${moduleOf(apiVersion)}';\n` +
        `export const object${index}: Kind${index} = ${JSON.stringify({ apiVersion, kind, ...rest }, null, 2)};\n`,
    )
    .join('\n');
  writeFileSync(join(scratch, 'manifests.ts'), source);
  writeFileSync(join(scratch, 'keda.ts'), KEDA);
  const require = createRequire(join(root, 'package.json'));
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    strict: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
  };
  const config = { compilerOptions: { ...compilerOptions, types: [] }, files: ['manifests.ts'] };
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: scratch, stdio: 'inherit' });
  for (const { overlay, object } of checks) console.log(`${overlay}: ${object.kind} ${object.metadata.name}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
