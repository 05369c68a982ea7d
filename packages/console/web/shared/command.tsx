import { CopyButton } from "./copy-button.tsx";

/** A command line with a button that copies it. */
export function Command({ line }: { readonly line: string }) {
  return (
    <div className="command">
      <code>{line}</code>
      <CopyButton text={line} label={line} />
    </div>
  );
}
