import type { NamedPage, PageAddress } from "@plimsoll/registry/ports";
import { baseUrl, type Origin } from "@plimsoll/registry/settings";

/** The page to sign in, which the browser also opens after signing in if no other page is named. */
export const signInPath = "/signin";

/** A page that rules name, or one to which other services send a browser back. */
type AddressedPage =
  | NamedPage
  | { readonly kind: "sign-in" }
  /** Where an identity provider sends the browser after a sign-in. */
  | { readonly kind: "callback"; readonly service: string }
  /** Shows a token of an application to the user who granted it. */
  | { readonly kind: "granted-token" };

/** The addresses of pages at an origin. */
export function pageAddresses(origin: Origin): PageAddress & ((page: AddressedPage) => string) {
  return (page) => `${baseUrl(origin)}${pathOf(page)}`;
}

function pathOf(page: AddressedPage): string {
  switch (page.kind) {
    case "repository":
      return `/repository/${page.namespace}/${page.name}`;
    case "namespace":
      return `/namespace/${page.namespace}`;
    case "confirmation":
      return `/confirm?${codeFields(page)}`;
    case "recovery":
      return `/recovery?${codeFields(page)}`;
    case "invite":
      return `/confirminvite?code=${encodeURIComponent(page.code)}`;
    case "exported-log":
      return `/exportedlogs/${page.file}`;
    case "sign-in":
      return signInPath;
    case "callback":
      return `/oauth2/${page.service}/callback`;
    case "granted-token":
      return "/oauth/localapp";
  }
}

function codeFields({ code, next }: { readonly code: string; readonly next?: string | undefined }): URLSearchParams {
  return new URLSearchParams(next ? { code, next } : { code });
}
