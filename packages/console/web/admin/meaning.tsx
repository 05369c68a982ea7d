/** The part of Markdown that sentences about settings have: code, and links, of which only the words are shown. */
export function Meaning({ text }: { readonly text: string }) {
  const parts = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`");
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never change places
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
