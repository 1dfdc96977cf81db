// The type of a setting, and the declaration with which each room lists its settings beside its code.
import type { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setting<T> {
  /** Name of the environment variable. */
  readonly env: string;
  /** Reads the variable; its default is the value for `undefined`. */
  readonly schema: z.ZodType<T, string | undefined>;
  /** One line for the documentation page. */
  readonly help: string;
  /** Show only whether it is set, never its value. */
  readonly secret?: boolean;
  /** Describes a default that depends on the machine. */
  readonly defaultInWords?: string;
}

export const setting = <T>(
  env: string,
  schema: z.ZodType<T, string | undefined>,
  help: string,
  options: { readonly secret?: boolean; readonly defaultInWords?: string } = {},
): Setting<T> => ({ env, schema, help, ...options });

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

type ValuesOf<Table extends SettingTable, Fixed> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never;
} & Readonly<Fixed>;

export interface Declaration<Table extends SettingTable = SettingTable, Fixed extends object = object> {
  /** Heading on the documentation page. Rooms may share one. */
  readonly topic: string;
  readonly settings: Table;
  /** Values that operators have no reason to change. Tests override them. */
  readonly fixed?: Fixed;
  /** Finds conflicts between settings of this room. Each message begins with the name of a variable. */
  readonly check?: (values: ValuesOf<Table, Fixed>) => readonly string[];
  /** Variables of earlier releases, each with what to do instead. */
  readonly dropped?: Readonly<Record<string, string>>;
}

/** The values of a declaration's settings, by name. */
export type SettingValues<D> = D extends Declaration<infer Table, infer Fixed> ? ValuesOf<Table, Fixed> : never;

export const declareSettings = <Table extends SettingTable, Fixed extends object = object>(
  declaration: Declaration<Table, Fixed>,
): Declaration<Table, Fixed> => declaration;
