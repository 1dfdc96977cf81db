// Other services whose protocols this server speaks. Deleting a line and its folder removes one with its settings.
export { deepgram } from '../endpoints/deepgram/vendor.ts';
export { openai } from '../endpoints/openai/vendor.ts';
export { wyoming } from '../endpoints/wyoming/vendor.ts';
