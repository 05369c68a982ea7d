import { useEffect } from "react";

/**
 * Has the browser ask before the page is reloaded or left for another site while a form has something typed that was not sent. Fields outside
 * of forms, such as filters, are not asked for: they are in the address.
 */
export function useUnsavedInput(): void {
  useEffect(() => {
    const typedInto = new Set<HTMLFormElement>();
    const note = ({ target }: Event) => {
      const form = target instanceof HTMLElement ? target.closest("form") : null;
      if (form !== null) typedInto.add(form);
    };
    const forget = ({ target }: Event) => {
      if (target instanceof HTMLFormElement) typedInto.delete(target);
    };
    const ask = (event: BeforeUnloadEvent) => {
      if ([...typedInto].some(({ isConnected }) => isConnected)) event.preventDefault();
    };
    document.addEventListener("input", note);
    document.addEventListener("submit", forget);
    window.addEventListener("beforeunload", ask);
    return () => {
      document.removeEventListener("input", note);
      document.removeEventListener("submit", forget);
      window.removeEventListener("beforeunload", ask);
    };
  }, []);
}
