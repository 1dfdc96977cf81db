// Entry point `@faircopy/server/app`: the whole service, with replaceable parts.
export { createApp } from '../app/app.ts';
export { parseConfig } from '../app/config.ts';
export { welcome } from '../cli/start/welcome.ts';
