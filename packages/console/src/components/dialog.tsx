// Modal dialogs, based on <dialog>: focus is trapped, Escape closes, and the page behind is inert.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { Form, type FormProps } from './form.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** False when closing would lose something, such as a key that is shown once. */
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

interface FormDialogProps extends Omit<FormProps, 'onCancel' | 'saved' | 'clears'> {
  readonly title: string;
  readonly onClose: () => void;
}

/** A dialog with one form. Closes once the form has been submitted. */
export const FormDialog = ({ title, onClose, onSubmit, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      {...form}
      onCancel={onClose}
      onSubmit={async (values) => {
        await onSubmit(values);
        onClose();
      }}
    />
  </Dialog>
);

interface SecretProps {
  readonly text: string;
  readonly copyLabel: string;
  readonly done?: string;
  readonly testId?: string;
  readonly onDone: () => void;
}

/** The end of a dialog that shows a key or link to copy. */
export const Secret = ({ text, copyLabel, done = 'Done', testId, onDone }: SecretProps) => (
  <>
    <div class="secret">
      <code data-testid={testId}>{text}</code>
      <CopyButton text={text} label={copyLabel} />
    </div>
    <div class="form-actions">
      <button type="button" class="primary" onClick={onDone}>
        {done}
      </button>
    </div>
  </>
);

type DialogRenderer = (close: () => void) => JSX.Element;

/** The open dialog, if any. `onClose` runs whenever a dialog closes. */
export const useDialog = (onClose: () => void) => {
  const [render, setRender] = useState<DialogRenderer | null>(null);
  const close = () => {
    setRender(null);
    onClose();
  };
  return {
    dialog: render?.(close) ?? null,
    openDialog: (renderer: DialogRenderer) => setRender(() => renderer),
  };
};
