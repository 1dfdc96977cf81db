// Marks the short-lived keys that the console's playground creates.

/** The value of `api_keys.created_by`. Lists hide these keys; sums show them as one entry. */
export const PLAYGROUND_CREATOR = 'playground';
