// Finds environment variables that are not settings: mistyped names and settings of earlier releases.
import { nearest } from '../lib/nearest-name.ts';
import type { AnyDeclaration } from './parse.ts';
import type { Environment, Setting, SettingTable } from './setting.ts';

const PREFIX = 'FAIRCOPY_';

const variablesOf = ({ settings }: AnyDeclaration): string[] =>
  Object.values(settings as SettingTable).map(({ env }: Setting<unknown>) => env);

/** Returns a sentence for each unknown variable. `others` are variables of programs around the server. */
export const unknownSettings = (
  declarations: readonly AnyDeclaration[],
  env: Environment,
  others: readonly string[] = [],
): string[] => {
  const dropped = new Map(declarations.flatMap((declaration) => Object.entries(declaration.dropped ?? {})));
  const settings = declarations.flatMap(variablesOf);
  const known = new Set([...settings, ...others]);
  // Compared without the prefix, which would make all names similar.
  const names = settings.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  const sentenceOf = (name: string): string | null => {
    const instead = dropped.get(name);
    if (instead !== undefined) return `${name} is no longer a setting and has no effect: ${instead}.`;
    if (!name.startsWith(PREFIX) || known.has(name)) return null;
    // Report only names that are similar to a setting: Kubernetes sets variables with this prefix too.
    const meant = nearest(name.slice(PREFIX.length), names);
    return meant === null ? null : `${name} is not a setting: did you mean ${PREFIX}${meant}?`;
  };
  return Object.keys(env).flatMap((name) => (env[name] ? (sentenceOf(name) ?? []) : []));
};
