import { CopyButton } from "./copy-button.tsx";
import { shortDigest } from "./units.ts";

/** A digest in short, with the whole one on hover and to copy. */
export function Digest({ digest }: { readonly digest: string }) {
  return (
    <span className="digest">
      <code title={digest}>{shortDigest(digest)}</code>
      <CopyButton text={digest} label={digest} />
    </span>
  );
}
