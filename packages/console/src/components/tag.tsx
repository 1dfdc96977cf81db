// A state in a table, coloured by its tone.

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';
export type TagState = readonly [text: string, tone: Tone];

export const Tag = ({ state: [text, tone] }: { state: TagState }) => <span class={`tag tag-${tone}`}>{text}</span>;
