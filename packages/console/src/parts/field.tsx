// A labelled input with its hint, tied together for screen readers.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

type InputProps = Omit<JSX.IntrinsicElements['input'], 'id' | 'label'> & { label: string; hint?: string };

export const Field = ({ label, hint, ...input }: InputProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} {...input} {...(hint ? { 'aria-describedby': `${id}-hint` } : {})} />
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
};

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly disabled?: boolean;
}

export const Choice = ({ label, value, onChange, options, disabled = false }: ChoiceProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([optionValue, text]) => (
          <option key={optionValue} value={optionValue}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

interface CheckProps {
  readonly label: string;
  readonly name: string;
  readonly checked: boolean;
  readonly hint: string;
}

/** Left to the browser until the form is sent: drawing the form anew would empty its other fields. */
export const Check = ({ label, name, checked, hint }: CheckProps) => {
  const id = useId();
  return (
    <div class="check">
      <input id={id} type="checkbox" name={name} defaultChecked={checked} aria-describedby={`${id}-hint`} />
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
};
