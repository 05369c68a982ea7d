import { useEffect } from "react";

const dialogs = "[role=dialog], [role=alertdialog]";

/**
 * Keeps the focus near the element that had it and was taken out of the page, such as the button of a deleted row: it goes to the nearest
 * element around it that is still there. Otherwise those who use the keyboard or a screen reader begin at the top of the page again.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: Element | undefined;
    let around: readonly HTMLElement[] = [];
    const noteFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      if (target.closest(dialogs) === null) around = withAncestors(target); // a dialog is opened from where the focus was
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || focused?.isConnected !== false) return;
      const near = around.find((each) => each.isConnected);
      focused = undefined;
      if (near !== undefined) focusWithoutTab(near);
    });
    document.addEventListener("focusin", noteFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", noteFocus);
      observer.disconnect();
    };
  }, []);
}

/** An element and those around it in the content of the page, the innermost first. */
function withAncestors(element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  if (element.closest("#content") === null) return found;
  for (let each: HTMLElement | null = element; each !== null; each = each.parentElement) {
    found.push(each);
    if (each.id === "content") return found;
  }
  return found;
}

/** Focuses an element that Tab does not reach, once. */
function focusWithoutTab(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
