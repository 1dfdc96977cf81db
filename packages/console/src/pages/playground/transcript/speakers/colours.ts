// The CSS class with a speaker's colour. It depends only on the number, so that renaming and reordering keep it.

const COLOURS = 8;

export const colourOf = (speaker: number | null): string => (speaker === null ? '' : `speaker-${speaker % COLOURS}`);
