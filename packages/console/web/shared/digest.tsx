import { CopyButton } from "./copy-button.tsx";
import { shortDigest } from "./units.ts";

/** A shortened digest. The full digest is shown on hover and can be copied. */
export function Digest({ digest }: { readonly digest: string }) {
  return (
    <span className="digest">
      <code title={digest}>{shortDigest(digest)}</code>
      <CopyButton text={digest} label={digest} />
    </span>
  );
}
