// The label of a speaker, as shown to people.

export interface LabelledSpeaker {
  /** 0, 1, … */
  readonly speaker: number;
  readonly name: string | null;
  readonly isNameSure: boolean;
}

/** A name that is only likely gets a question mark. */
export const speakerLabel = ({ speaker, name, isNameSure }: LabelledSpeaker): string => {
  if (name === null) return `Speaker ${speaker + 1}`;
  return isNameSure ? name : `${name}?`;
};
