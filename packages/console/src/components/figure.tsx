// A labelled number on a card, with a note.
export const Figure = ({ label, value, note }: { label: string; value: string; note: string }) => (
  <div class="figure card">
    <dt>{label}</dt>
    <dd>
      <span>{value}</span>
      <span class="figure-note">{note}</span>
    </dd>
  </div>
);
