// How keys that the console's playground makes for itself are told from those that people make.

/** In `api_keys.created_by`. They are no one's to manage, end by themselves, and count as one entry in sums. */
export const PLAYGROUND_CREATOR = 'playground';
