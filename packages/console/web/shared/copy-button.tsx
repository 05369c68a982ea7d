import { CheckIcon, CopyIcon } from "@primer/octicons-react";
import { useState } from "react";
import { texts } from "../texts/texts.ts";
import { shortDigest } from "./units.ts";

/** A button that copies a text. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button
      type="button"
      className="quiet icon"
      onClick={copy}
      title={isCopied ? texts.push.copied : texts.push.copy}
      aria-label={isCopied ? texts.push.copied : [texts.push.copy, label].join(" ").trim()}
    >
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}

interface CommandProps {
  readonly line: string;
  /** The name of the button for screen readers, in place of the line; a line with a secret needs it, which would be read aloud. */
  readonly label?: string;
}

/** A command line with a button that copies it. */
export function Command({ line, label = line }: CommandProps) {
  return (
    <div className="command">
      <code>{line}</code>
      <CopyButton text={line} label={label} />
    </div>
  );
}

/** A shortened digest. The full digest is shown on hover and can be copied. */
export function Digest({ digest }: { readonly digest: string }) {
  return (
    <span className="digest">
      <code title={digest}>{shortDigest(digest)}</code>
      <CopyButton text={digest} label={digest} />
    </span>
  );
}
