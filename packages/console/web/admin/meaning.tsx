/** Renders the Markdown of descriptions of settings: code spans, and links as plain text. */
export function Meaning({ text }: { readonly text: string }) {
  const parts = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`");
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key and keep their order
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
