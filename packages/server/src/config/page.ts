// Generates the documentation page of the settings from their declarations.
import { type AnyDeclaration, parseSettings } from './parse.ts';
import type { Setting, SettingTable } from './setting.ts';

export interface PageOptions {
  readonly introduction: string;
  /** Names of the settings in the first section, and its heading. */
  readonly common: readonly string[];
  readonly commonHeading: string;
}

const HEAD = '| variable | default | what it does |\n|---|---|---|';

const shownDefault = ({ defaultInWords }: Setting<unknown>, value: unknown): string => {
  if (defaultInWords !== undefined) return defaultInWords;
  // Settings that are parsed into an object have no default.
  const text = typeof value === 'object' && !Array.isArray(value) ? '' : String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
};

export const configurationPage = (
  declarations: readonly AnyDeclaration[],
  { introduction, common, commonHeading }: PageOptions,
): string => {
  const defaults = parseSettings(declarations, {});
  const sections = new Map<string, string[]>([[commonHeading, []]]);
  const rows = new Map<string, string>();
  for (const { topic, settings } of declarations)
    for (const [name, setting] of Object.entries(settings as SettingTable)) {
      const row = `| \`${setting.env}\` | ${shownDefault(setting, defaults[name])} | ${setting.help.replaceAll('|', '\\|')} |`;
      rows.set(name, row);
      if (common.includes(name)) continue;
      sections.set(topic, [...(sections.get(topic) ?? []), row]);
    }
  sections.set(
    commonHeading,
    common.map((name) => rows.get(name) ?? `| ${name} | | not a setting |`),
  );
  const written = [...sections].map(([heading, lines]) => `## ${heading}\n\n${HEAD}\n${lines.join('\n')}\n`);
  return `${introduction}\n${written.join('\n')}`;
};
