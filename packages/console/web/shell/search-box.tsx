import { SearchIcon } from "@primer/octicons-react";
import { useEffect, useRef, useState } from "react";
import { Lazily } from "../shared/lazily.tsx";
import { texts } from "../texts/texts.ts";

const loadPalette = async () => (await import("../palette/palette.tsx")).Palette;

/** Opens the command palette on a click, on `/` and on Ctrl+K. */
export function SearchBox() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const isShortcut =
        event.key === "/" ? !isTyping(event.target) : event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", open);
    return () => document.removeEventListener("keydown", open);
  }, []);
  const typed = useTypedEarly({ isOpen });
  return (
    <search>
      <button type="button" className="palette-opener" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SearchIcon /> <span>{texts.palette.open}</span> <kbd>{texts.palette.hint}</kbd>
      </button>
      {isOpen && (
        <Lazily name="palette" load={loadPalette}>
          {(Palette) => <Palette typed={typed} onClose={() => setOpen(false)} />}
        </Lazily>
      )}
    </search>
  );
}

/** Collects keys that are typed after the palette was opened and before its field has loaded. */
function useTypedEarly({ isOpen }: { readonly isOpen: boolean }): { current: string } {
  const typed = useRef("");
  useEffect(() => {
    typed.current = "";
    if (!isOpen) return;
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key.length !== 1 || ctrlKey || metaKey || altKey || isTyping(target)) return;
      event.preventDefault();
      typed.current += key;
    };
    document.addEventListener("keydown", keep);
    return () => document.removeEventListener("keydown", keep);
  }, [isOpen]);
  return typed;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
