import { useEffect } from "react";
import { texts } from "../texts/texts.ts";

/**
 * Asks for confirmation before the page is reloaded or left, also for another page of the console, while a form has unsent input. Fields
 * outside of forms, such as filters, do not count: their values are in the address.
 */
export function useUnsavedInput(): void {
  useEffect(() => {
    const unsent = new Set<HTMLFormElement>();
    const isUnsent = () => [...unsent].some(({ isConnected }) => isConnected);
    const markUnsent = ({ target }: Event) => {
      const form = target instanceof HTMLElement ? target.closest("form") : null;
      if (form !== null) unsent.add(form);
    };
    const markSent = ({ target }: Event) => {
      if (target instanceof HTMLFormElement) unsent.delete(target);
    };
    const confirmUnload = (event: BeforeUnloadEvent) => {
      if (isUnsent()) event.preventDefault();
    };
    const confirmNavigation = (event: NavigateEvent) => {
      if (!leadsToPage(event) || !isUnsent()) return;
      if (window.confirm(texts.shell.leave)) unsent.clear();
      else event.preventDefault();
    };
    document.addEventListener("input", markUnsent);
    document.addEventListener("submit", markSent);
    window.addEventListener("beforeunload", confirmUnload);
    historyOfPage()?.addEventListener("navigate", confirmNavigation);
    return () => {
      document.removeEventListener("input", markUnsent);
      document.removeEventListener("submit", markSent);
      window.removeEventListener("beforeunload", confirmUnload);
      historyOfPage()?.removeEventListener("navigate", confirmNavigation);
    };
  }, []);
}

/**
 * The browser's navigation API, which reports a navigation before it happens. Older browsers do not have it: there, only leaving the
 * document is confirmed.
 * @see https://developer.mozilla.org/en-US/docs/Web/API/Navigation_API
 */
function historyOfPage(): Navigation | undefined {
  return "navigation" in window ? window.navigation : undefined;
}

/** Whether a navigation opens another page of the console and can still be cancelled. */
function leadsToPage({ cancelable, navigationType, destination, hashChange }: NavigateEvent): boolean {
  return cancelable && navigationType !== "replace" && destination.sameDocument && !hashChange;
}
