// The path below which browsers reach the service, such as /speech in https://example.com/speech.

/** Without a slash at its end; empty when the service has a host of its own. */
export const basePathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');

/** Takes the base path off an address, for proxies that keep it. Others have done so already. */
export const withoutBasePath = (url: string, basePath: string): string => {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '') return '/';
  if (rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
};
