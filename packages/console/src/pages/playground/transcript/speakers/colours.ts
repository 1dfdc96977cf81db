// The colour of a speaker, as a class: it follows the number, so that it stays when names and order change.

const COLOURS = 8;

export const colourOf = (speaker: number | null): string => (speaker === null ? '' : `speaker-${speaker % COLOURS}`);
