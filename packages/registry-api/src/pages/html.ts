import type { PageUser } from "./page-session.ts";

/** Text that is HTML, and must not be escaped again. */
export interface Html {
  readonly html: string;
}

/** An HTML page. It works without scripts. */
export interface Page {
  readonly title: string;
  /** The heading of the page, where it differs from the title. */
  readonly heading?: string;
  readonly body: Html;
  /** The signed-in user, who can sign out on the page. */
  readonly user?: PageUser | undefined;
  /** The one script it has. */
  readonly script?: string;
  /** The address, besides the registry itself, that its forms are redirected to. */
  readonly formTarget?: string | undefined;
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
