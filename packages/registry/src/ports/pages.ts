/** A page or a file of the registry that messages, events and other services name. What serves the registry knows their addresses. */
export type NamedPage =
  | { readonly kind: "repository"; readonly namespace: string; readonly name: string }
  | { readonly kind: "namespace"; readonly namespace: string }
  /** Where a code of an e-mail is used. `next` is the page that was requested before. */
  | { readonly kind: "confirmation" | "recovery"; readonly code: string; readonly next?: string | undefined }
  | { readonly kind: "invite"; readonly code: string }
  /** A file of exported usage logs. */
  | { readonly kind: "exported-log"; readonly file: string };

/** The address of a page, with the scheme and the host of the registry. */
export type PageAddress = (page: NamedPage) => string;
