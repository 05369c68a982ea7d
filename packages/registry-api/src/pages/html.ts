/** Text that is HTML, and must not be escaped again. */
export interface Html {
  readonly html: string;
}

/** A template tag for HTML: values that are not {@link Html} are escaped. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return { html: strings.map((text, index) => text + htmlOf(values[index] ?? "")).join("") };
}

function htmlOf(value: string | Html | readonly Html[]): string {
  if (typeof value === "string") return escapeHtml(value);
  return "html" in value ? value.html : value.map((each) => each.html).join("");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");
}
