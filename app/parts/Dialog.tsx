import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "./Icons.tsx"

interface Properties {
  readonly title: string
  readonly open: boolean
  readonly close: () => void
  readonly children: ComponentChildren
}

/** Something to be done before one goes on: holds the focus while it is open, and gives it back. Escape closes it. */
export function Dialog({ children, close, open, title }: Properties) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={close}
      // It is told later than the focus is back: whoever has opened it again by then keeps it open.
      onClose={() => {
        if (dialog.current?.open === false) close()
      }}
    >
      {open
        ? (
          <>
            <div class="dialog-head">
              <h2 id={id}>{title}</h2>
              <button type="button" class="icon-button" aria-label="Close" onClick={close}>
                <Icon name="cross" />
              </button>
            </div>
            {children}
          </>
        )
        : null}
    </dialog>
  )
}
