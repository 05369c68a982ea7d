import type { Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownApplication } from "./scopes.ts";

const words = texts.applications;

/** The fields of an application. */
export function ApplicationFields({ application }: { readonly application?: ShownApplication }) {
  return (
    <>
      <TextField name="name" label={words.name} required maxLength={255} defaultValue={application?.name} />
      <TextField name="home" label={words.home} type="url" defaultValue={application?.application_uri} />
      <TextField name="description" label={words.description} defaultValue={application?.description} />
      <TextField name="redirect" label={words.redirect} type="url" defaultValue={application?.redirect_uri ?? ""} />
      <TextField name="avatar" label={words.avatar} type="email" defaultValue={application?.avatar_email ?? ""} />
    </>
  );
}

/** The values of these fields, as the body of a request. */
export function typedApplication(typed: Typed) {
  return {
    name: typed("name"),
    application_uri: typed("home"),
    description: typed("description"),
    redirect_uri: typed("redirect"),
    avatar_email: typed("avatar") || null,
  };
}
