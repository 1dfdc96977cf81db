// The names of the files that were sent from this browser. The server does not keep them.

const NAMES_MAX = 500;
const STORAGE_KEY = 'faircopy.job-names';

const readNames = (): readonly (readonly [id: string, name: string])[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
};

export const rememberJobName = (id: string, name: string): void =>
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...readNames(), [id, name]].slice(-NAMES_MAX)));

export const jobName = (id: string): string | undefined => readNames().find(([known]) => known === id)?.[1];
