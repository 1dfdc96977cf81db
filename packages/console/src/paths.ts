// The paths of the console and of the service, which may run below a path of the host.

/** The URL of this script gives the base path. The URL of the page is ambiguous if it contains "console" twice. */
const found = /^(.*)\/console\/(?:assets|src)\//.exec(new URL(import.meta.url).pathname);

const BASE_PATH = found?.[1] ?? '';

export const CONSOLE_PATH = `${BASE_PATH}/console`;

/** The base URL of the public API. */
export const SERVICE_URL = `${location.origin}${BASE_PATH}`;
