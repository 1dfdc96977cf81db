// A modal dialog on the browser's own <dialog>: focus is trapped, Escape closes, the page behind is inert.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False while closing would lose something, such as a key shown once. */
  readonly dismissable?: boolean;
  readonly children: ComponentChildren;
}

export const Dialog = ({ title, onClose, dismissable = true, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onCancel={(event) => {
        if (!dismissable) event.preventDefault();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
};
