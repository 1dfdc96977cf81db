// The client for pages without a bundler. The build bundles it into one file, with the worklet beside it.
import { type CaptionsOptions, type CaptionsWidget, mountCaptions as mount } from './captions.ts';
import { type Microphone, type MicrophoneOptions, openMicrophone as open } from './microphone.ts';

export * from './browser.ts';
export type { CaptionsOptions, CaptionsWidget, Microphone, MicrophoneOptions };

// Kept in a variable because bundlers would inline a literal file name as an asset.
const WORKLET = 'worklet.js';
const workletUrl = new URL(WORKLET, import.meta.url);

type WithoutWorklet<Options extends { readonly workletUrl: unknown }> = Omit<Options, 'workletUrl'> & Partial<Options>;

/** Asks for the microphone, with the worklet beside this file unless `workletUrl` says otherwise. */
export const openMicrophone = (options: WithoutWorklet<MicrophoneOptions> = {}): Promise<Microphone> =>
  open({ workletUrl, ...options });

/** Adds the caption widget to an element of the page. */
export const mountCaptions = (host: Element, options: WithoutWorklet<CaptionsOptions>): CaptionsWidget =>
  mount(host, { workletUrl, ...options });
