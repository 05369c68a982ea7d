import { useState } from "react";
import { texts } from "../texts/texts.ts";

/** A button that copies a text. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" className="quiet" onClick={copy} aria-label={label && `${texts.push.copy} ${label}`}>
      {isCopied ? texts.push.copied : texts.push.copy}
    </button>
  );
}
