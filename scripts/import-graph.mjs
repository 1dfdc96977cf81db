// Reads the imports of source files, and finds cycles in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Every TypeScript file below a folder. */
export const sourcesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sourcesIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });

/** The import specifiers of a file, as written, including types and re-exports. */
export const importsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1]);

/** The file that a relative import refers to, or null. */
export const fileOf = (path, target) => {
  if (!target.startsWith('.')) return null;
  const base = resolve(dirname(path), target);
  return (
    [base, `${base}.ts`, `${base}.tsx`, join(base, 'index.ts')].find(
      (name) => /\.tsx?$/.test(name) && existsSync(name),
    ) ?? null
  );
};

/** Cycles of a graph (a map of names to sets of names), each as a path of names. At least one per group of cycles. */
export const circlesIn = (graph) => {
  const circles = [];
  const done = new Set();
  const trail = [];
  const visit = (name) => {
    if (done.has(name)) return;
    if (trail.includes(name)) {
      circles.push([...trail.slice(trail.indexOf(name)), name]);
      return;
    }
    trail.push(name);
    for (const next of graph.get(name) ?? []) visit(next);
    trail.pop();
    done.add(name);
  };
  for (const name of graph.keys()) visit(name);
  return circles;
};
