import { Type } from "typebox";

const clearableText = Type.Optional(Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]));

/** The credentials for the other registry. */
export const externalLogin = { external_registry_username: clearableText, external_registry_password: clearableText };

/** How the other registry is reached. */
export const ExternalConfig = Type.Object({
  unsigned_images: Type.Optional(Type.Boolean()),
  verify_tls: Type.Optional(Type.Boolean()),
  proxy: Type.Optional(Type.Object({ http_proxy: clearableText, https_proxy: clearableText, no_proxy: clearableText })),
});
