// Entry point `@faircopy/server/app`: the whole service, built with parts of the caller's choice.
export { createApp } from '../app/app.ts';
export { welcome } from '../cli/welcome.ts';
export { parseConfig } from '../config/config.ts';
