import { useEffect } from "react";
import { texts } from "../texts/texts.ts";

/**
 * Asks before the page is reloaded or left, also for another page of the console, while a form has something typed that was not sent. Fields
 * outside of forms, such as filters, are not asked for: they are in the address.
 */
export function useUnsavedInput(): void {
  useEffect(() => {
    const typedInto = new Set<HTMLFormElement>();
    const isUnsaved = () => [...typedInto].some(({ isConnected }) => isConnected);
    const note = ({ target }: Event) => {
      const form = target instanceof HTMLElement ? target.closest("form") : null;
      if (form !== null) typedInto.add(form);
    };
    const forget = ({ target }: Event) => {
      if (target instanceof HTMLFormElement) typedInto.delete(target);
    };
    const askForDocument = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault();
    };
    const askForPage = (event: NavigateEvent) => {
      if (!leadsToPage(event) || !isUnsaved()) return;
      if (window.confirm(texts.shell.leave)) typedInto.clear();
      else event.preventDefault();
    };
    document.addEventListener("input", note);
    document.addEventListener("submit", forget);
    window.addEventListener("beforeunload", askForDocument);
    historyOfPage()?.addEventListener("navigate", askForPage);
    return () => {
      document.removeEventListener("input", note);
      document.removeEventListener("submit", forget);
      window.removeEventListener("beforeunload", askForDocument);
      historyOfPage()?.removeEventListener("navigate", askForPage);
    };
  }, []);
}

/**
 * The browser's history, told of before it changes; absent in older browsers: there the visitor is asked before the document is left only.
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Navigation_API
 */
function historyOfPage(): Navigation | undefined {
  return "navigation" in window ? window.navigation : undefined;
}

/** Whether another page of the console is shown then, by a link or by the browser's buttons, and that can still be refused. */
function leadsToPage({ cancelable, navigationType, destination, hashChange }: NavigateEvent): boolean {
  return cancelable && navigationType !== "replace" && destination.sameDocument && !hashChange;
}
