import type { AppToken } from "@plimsoll/registry/identity/sign-in/queries/token-holders";
import { formatDate, formatOptionalDate } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";

const OptionalDate = Type.Union([Type.String(), Type.Null()]);

/** An app token without its code. */
export const AppTokenView = Type.Object({
  uuid: Type.String(),
  title: Type.String(),
  last_accessed: OptionalDate,
  created: Type.String(),
  expiration: OptionalDate,
});

/** An app token with its code. */
export const AppTokenWithCode = Type.Object({
  token: Type.Object({ ...AppTokenView.properties, token_code: Type.String({ description: "The code of the token" }) }),
});

/** An app token as clients see it, without its code. */
export function appTokenView({ id, title, created_at, expires_at, last_accessed_at }: AppToken) {
  return {
    uuid: id,
    title,
    last_accessed: formatOptionalDate(last_accessed_at),
    created: formatDate(created_at),
    expiration: formatOptionalDate(expires_at),
  };
}
