// The rules of an API key: a dialog that changes them and a one-line summary.
import { KEY_SCOPES, type KeyRecord, type KeyRules, MODEL_IDS, REFINE_LEVELS } from '@faircopy/contract';
import { api } from '../api/api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { listOf, textOf } from '../components/form.tsx';

/** All boxes checked means no rule. No box checked gives an empty list, which the server rejects. */
const checkedOf = (values: FormData, name: string, all: readonly string[]): string[] | null => {
  const checked = values.getAll(name).map(String);
  return checked.length === all.length ? null : checked;
};

/** Tags may contain spaces. */
const tagsOf = (values: FormData): string[] =>
  textOf(values, 'tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

const orNull = <T,>(list: T[]): T[] | null => (list.length === 0 ? null : list);

/** The rules as typed; the server validates them. */
const rulesOf = (values: FormData) => ({
  scopes: checkedOf(values, 'scopes', KEY_SCOPES),
  models: checkedOf(values, 'models', MODEL_IDS),
  languages: orNull(listOf(values, 'languages')),
  addresses: orNull(listOf(values, 'addresses')),
  refinement: textOf(values, 'refinement') || null,
  redact: orNull(listOf(values, 'redact')),
  tags: tagsOf(values),
});

const Boxes = ({ legend, name, all, chosen }: BoxesProps) => (
  <fieldset class="boxes">
    <legend>{legend}</legend>
    {all.map((value) => (
      <label key={value}>
        <input type="checkbox" name={name} value={value} defaultChecked={chosen === null || chosen.includes(value)} />{' '}
        {value}
      </label>
    ))}
  </fieldset>
);

interface BoxesProps {
  readonly legend: string;
  readonly name: string;
  readonly all: readonly string[];
  readonly chosen: readonly string[] | null;
}

export const RulesDialog = (props: { accountId: string; record: KeyRecord; onClose: () => void }) => {
  const { rules, name, id } = props.record;
  return (
    <FormDialog
      title={`What “\u2068${name}\u2069” may do`}
      submit="Save"
      onClose={props.onClose}
      onSubmit={(values) => api.changeKey(props.accountId, id, rulesOf(values))}
    >
      <Boxes legend="Endpoints" name="scopes" all={KEY_SCOPES} chosen={rules.scopes} />
      <Boxes legend="Models" name="models" all={MODEL_IDS} chosen={rules.models} />
      <Field
        label="Languages"
        name="languages"
        defaultValue={rules.languages?.join(', ') ?? ''}
        placeholder="de, en"
        hint="Languages that may be spoken; detection chooses among them. Empty: all."
      />
      <Field
        label="Addresses"
        name="addresses"
        defaultValue={rules.addresses?.join(', ') ?? ''}
        placeholder="10.0.0.0/8"
        hint="Addresses and ranges that requests may come from. Empty: anywhere."
      />
      <div class="field">
        <label for="key-refinement">Refinement</label>
        <select id="key-refinement" name="refinement" defaultValue={rules.refinement ?? ''}>
          <option value="">Set by each request</option>
          {REFINE_LEVELS.map((level) => (
            <option key={level} value={level} selected={rules.refinement === level}>
              Always {level}
            </option>
          ))}
        </select>
      </div>
      <Field
        label="Hide personal data"
        name="redact"
        defaultValue={rules.redact?.join(', ') ?? ''}
        placeholder="pii"
        hint="Always hidden, such as pii, pci, numbers or profanity. Empty: set by each request."
      />
      <Field
        label="Tags"
        name="tags"
        defaultValue={rules.tags.join(', ')}
        placeholder="kiosk"
        hint="Added to the usage of every request with this key."
      />
    </FormDialog>
  );
};

/** The rules in a few words; null when there are none. */
export const rulesSummary = ({ refinement, redact, tags, ...rules }: KeyRules): string | null => {
  const { scopes, models, languages, addresses } = rules;
  const limits = [
    scopes?.join(', '),
    models?.join(', '),
    languages?.join(', '),
    addresses && (addresses.length === 1 ? addresses[0] : `${addresses.length} address ranges`),
  ].filter(Boolean);
  const parts = [
    limits.length > 0 && `only ${limits.join(' · ')}`,
    refinement && `refinement always ${refinement}`,
    redact && `hides ${redact.join(', ')}`,
    tags.length > 0 && `tagged ${tags.join(', ')}`,
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' · ');
};
