import { type FormEvent, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { searchPath } from "../places.ts";
import { texts } from "../texts/texts.ts";

/** The search of the registry. The keys `/` and Ctrl+K lead to it. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isShortcut =
        event.key === "/" ? !isTyping(event.target) : event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut) return;
      event.preventDefault();
      input.current?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    navigate(searchPath(input.current?.value.trim() ?? ""));
  };
  return (
    <search>
      <form onSubmit={submit}>
        <input
          ref={input}
          type="search"
          name="q"
          maxLength={255}
          aria-label={texts.shell.search}
          placeholder={texts.shell.searchHint}
        />
      </form>
    </search>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
