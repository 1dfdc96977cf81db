// A box with its own scroll bar, reachable by keyboard.
import type { ComponentChildren } from 'preact';

interface ScrollBoxProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export const ScrollBox = ({ label, class: name, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can only scroll what has the focus
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
