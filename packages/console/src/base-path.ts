// Where the console is: below /console of the server, which may itself be below a path of its host.

/** This script's own address says so; the page's does not, where the path has "console" in it twice. */
const found = /^(.*)\/console\/(?:assets|src)\//.exec(new URL(import.meta.url).pathname);

const BASE_PATH = found?.[1] ?? '';

/** Every page of the console is below it. */
export const HOME = `${BASE_PATH}/console`;

/** Where the public interface is. */
export const SERVICE_URL = `${location.origin}${BASE_PATH}`;
