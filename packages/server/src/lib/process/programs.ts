// Locates the programs of threads and child processes. They run from the bundle, which loads faster than its modules.

/** `name` is the module's source path, such as `audio/threads/worker`. It must be a literal for scripts/bundle.mjs. */
export const programUrl = (name: string): URL => new URL(`../../../bundle/${name}.js`, import.meta.url);
