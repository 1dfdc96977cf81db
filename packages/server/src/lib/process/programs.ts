// Where programs of threads and child processes are. They run from the bundle, which loads faster than its modules.

/** `name` is the module's path in the source, such as `audio/threads/worker`; it has to be a literal (scripts/bundle.mjs). */
export const programUrl = (name: string): URL => new URL(`../../../bundle/${name}.js`, import.meta.url);
