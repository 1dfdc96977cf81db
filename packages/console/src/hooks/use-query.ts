// Choices that are kept in the query of the URL, so that they survive a reload and can be shared.
import { useLocation } from 'preact-iso';

export const useQuery = <Name extends string>(
  defaults: Readonly<Record<Name, string>>,
): [values: Record<Name, string>, change: (changes: Partial<Record<Name, string>>) => void] => {
  const { path, query, route } = useLocation();
  const values = Object.fromEntries(
    Object.entries<string>(defaults).map(([name, fallback]) => [name, query[name] ?? fallback]),
  ) as Record<Name, string>;
  const change = (changes: Partial<Record<Name, string>>) => {
    const set = Object.entries<string>({ ...values, ...changes }).filter(
      ([name, value]) => value !== defaults[name as Name],
    );
    const search = new URLSearchParams(set).toString();
    route(search === '' ? path : `${path}?${search}`, true);
  };
  return [values, change];
};
