// What may be larger than its place: it scrolls, and the keyboard reaches it, too.
import type { ComponentChildren } from 'preact';

interface ScrollBoxProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export const ScrollBox = ({ label, class: name, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled by keyboard
  <section class={name} aria-label={label} tabIndex={0}>
    {children}
  </section>
);

export const CodeBox = ({ label, text }: { label: string; text: string }) => (
  <ScrollBox label={label} class="code-box">
    <pre>
      <code>{text}</code>
    </pre>
  </ScrollBox>
);
