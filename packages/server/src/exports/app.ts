// Entry point `@faircopy/server/app`: the whole service, built with parts of the caller's choice.
export { createApp } from '../app/app.ts';
export { parseConfig } from '../app/config.ts';
export { welcome } from '../cli/start/welcome.ts';
