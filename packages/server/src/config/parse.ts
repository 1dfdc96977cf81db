// Reads all settings from the environment once, and reports all faults together.
import type { Declaration, Environment, SettingTable, SettingValues } from './setting.ts';

/** All faults of a configuration; each names the variable and what is wrong with its value. */
export class ConfigFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n  ${faults.join('\n  ')}`);
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each declaration in a list has a different table.
export type AnyDeclaration = Declaration<any, any>;

const readInto = (values: Record<string, unknown>, { settings, fixed, check }: AnyDeclaration, env: Environment) => {
  const faults: string[] = [];
  Object.assign(values, fixed);
  for (const [name, { env: variable, schema }] of Object.entries(settings as SettingTable)) {
    // `NAME= command` sets an empty variable, which counts as unset.
    const parsed = schema.safeParse(env[variable] === '' ? undefined : env[variable]);
    if (parsed.success) values[name] = parsed.data;
    else faults.push(`${variable}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  return faults.length === 0 ? (check?.(values) ?? []) : faults;
};

export const parseSettings = (declarations: readonly AnyDeclaration[], env: Environment): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  const faults = declarations.flatMap((declaration) => readInto(values, declaration, env));
  if (faults.length > 0) throw new ConfigFault(faults);
  return values;
};

/** Reads the settings of a single room. */
export const parseRoomSettings = <D extends AnyDeclaration>(declaration: D, env: Environment): SettingValues<D> =>
  parseSettings([declaration], env) as SettingValues<D>;
