// Translates kustomizations to the older field names of the kustomize inside kubectl 1.20, Debian's version.
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The API group and version of each kind that the overlays patch, which old targets must name. */
const API_OF = {
  Deployment: { group: 'apps', version: 'v1' },
  HorizontalPodAutoscaler: { group: 'autoscaling', version: 'v2' },
  NetworkPolicy: { group: 'networking.k8s.io', version: 'v1' },
};

const isFolder = (path) => statSync(path).isDirectory();

const translate = (folder, { parse, stringify }) => {
  const path = join(folder, 'kustomization.yaml');
  const { resources = [], labels = [], patches = [], ...rest } = parse(readFileSync(path, 'utf8'));
  const old = {
    ...rest,
    bases: resources.filter((name) => isFolder(join(folder, name))),
    resources: resources.filter((name) => !isFolder(join(folder, name))),
    commonLabels: Object.assign({}, ...labels.map(({ pairs }) => pairs)),
    patchesJson6902: patches.map(({ target: { kind, name }, patch }, index) => {
      const file = `patch-${index}.yaml`;
      writeFileSync(join(folder, file), patch);
      return { path: file, target: { ...API_OF[kind], kind, name: name.replace(/^\^|\$$/g, '') } };
    }),
  };
  writeFileSync(path, stringify(old));
};

/** Copies the manifests and translates every kustomization of the copy. */
export const translatedCopy = (from, to, yaml) => {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true }))
    if (name.endsWith('kustomization.yaml')) translate(join(to, name, '..'), yaml);
  return to;
};
