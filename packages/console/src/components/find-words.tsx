// A search field that reports its words on Enter and when it is cleared.
import { useState } from 'preact/hooks';
import { Field } from './field.tsx';

export const FindWords = ({ label, onSearch }: { label: string; onSearch: (words: string) => void }) => {
  const [typed, setTyped] = useState('');
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <Field
          label={label}
          type="search"
          maxLength={200}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            if (event.currentTarget.value === '') onSearch('');
          }}
        />
      </form>
    </search>
  );
};
