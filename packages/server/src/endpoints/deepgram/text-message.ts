// Parses a text message of a Deepgram client as JSON.

/** The fields of the message, or a sentence that says what is wrong with it. */
export const fieldsIn = (text: Buffer, bytesMax: number): Readonly<Record<string, unknown>> | string => {
  if (text.length > bytesMax) return `A text message may have at most ${bytesMax} bytes.`;
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return 'The text message is not JSON.';
  }
};
