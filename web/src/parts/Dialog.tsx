import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons in the footer. */
  actions?: ReactNode;
}

/** A modal dialog. The browser keeps the focus inside, restores it on closing, and closes the dialog on Escape. */
export function Dialog({ open, title, onClose, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (open && !element.open) element.showModal();
    else if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose} onCancel={onClose}>
      {open && (
        <>
          <header className="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" className="button button-quiet" onClick={onClose} aria-label="Close">
              ✕
            </button>
          </header>
          <div className="dialog-body">{children}</div>
          {actions !== undefined && <footer className="dialog-foot">{actions}</footer>}
        </>
      )}
    </dialog>
  );
}
