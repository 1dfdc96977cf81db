// The documentation page of the settings, made from the same table that reads them.
import { type Config, parseConfig, SETTINGS } from './config.ts';

const INTRODUCTION = `# Configuration

Settings are environment variables, read once at start. All faults are reported together, with what to set. \`npx faircopy check\` shows the values in force. This page is written by \`npm run docs:configuration\`.

| variable | default | what it does |
|---|---|---|
`;

/** Defaults that depend on the machine, in words. */
const IN_WORDS: Partial<Record<keyof Config, string>> = {
  modelsDir: 'the user’s cache folder',
  nodeName: 'host and data folder',
};

const shownDefault = (name: keyof Config, value: unknown): string => {
  const words = IN_WORDS[name];
  if (words !== undefined) return words;
  // What is read into an object has nothing in it by default.
  const text = typeof value === 'object' && !Array.isArray(value) ? '' : String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
};

export const configurationPage = (): string => {
  const defaults = parseConfig({});
  const rows = (Object.keys(SETTINGS) as (keyof Config)[]).map((name) => {
    const { env, help } = SETTINGS[name];
    return `| \`${env}\` | ${shownDefault(name, defaults[name])} | ${help.replaceAll('|', '\\|')} |`;
  });
  return `${INTRODUCTION}${rows.join('\n')}\n`;
};
