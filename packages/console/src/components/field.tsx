// Labelled inputs with hints.
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

type InputProps = Omit<JSX.IntrinsicElements['input'], 'id' | 'label'> & { label: string; hint?: string };

/** Without a handler, `value` is only the initial value, so that re-rendering does not undo what was typed. */
export const Field = ({ label, hint, value, ...input }: InputProps) => {
  const id = useId();
  const given = input.onInput || input.onChange ? { value } : { defaultValue: value };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} {...input} {...given} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
};

export const NewPasswordField = ({ label, name }: { label: string; name: string }) => (
  <Field
    label={label}
    name={name}
    type="password"
    autocomplete="new-password"
    minLength={10}
    maxLength={256}
    required
    hint="At least 10 characters."
  />
);

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly (readonly [value: Value, text: string])[];
}

export const Choice = <Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
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

/** Uncontrolled: re-rendering the form on a change would clear its other fields. */
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
