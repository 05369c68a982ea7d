/** An element with its attributes, those that are defined, and its content, which is XML. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content = "",
): string {
  const texts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${xmlText(String(value))}"`],
  );
  return content === "" ? `<${name}${texts.join("")}/>` : `<${name}${texts.join("")}>${content}</${name}>`;
}

/**
 * Escapes text for an attribute or an element of XML 1.0. Replaces characters that XML does not allow, even as references, by U+FFFD.
 *
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"'\t\n\r\u007f-\u009f]/g, (special) => `&#${special.charCodeAt(0)};`);
}
