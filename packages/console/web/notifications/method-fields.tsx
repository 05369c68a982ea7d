import { useState } from "react";
import { EntityField } from "../permissions/entity-field.tsx";
import type { Typed } from "../shared/change-form.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.notifications;

/** The method by which a notification is sent. */
export type Method = keyof typeof words.methods;

interface Props {
  readonly method: Method;
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** The fields of a method. */
export function MethodFields({ method, namespace, isOrganization }: Props) {
  switch (method) {
    case "email":
      return <TextField name="email" label={words.email} type="email" required />;
    case "quay_notification":
      return <TargetFields namespace={namespace} isOrganization={isOrganization} />;
    case "webhook":
      return (
        <>
          <TextField name="url" label={words.url} type="url" required />
          <TextField name="template" label={words.template} />
        </>
      );
    case "slack":
    case "teams":
      return <TextField name="url" label={words.url} type="url" required />;
  }
}

function TargetFields({ namespace, isOrganization }: Omit<Props, "method">) {
  const [kind, setKind] = useState<keyof typeof words.targetKinds>("user");
  const { user } = words.targetKinds;
  const kinds: Partial<typeof words.targetKinds> = isOrganization ? words.targetKinds : { user };
  return (
    <>
      <SelectField name="kind" label={words.targetKind} options={kinds} onChoice={setKind} />
      {kind !== "org" && <EntityField name="target" label={words.target} namespace={namespace} kind={kind} />}
    </>
  );
}

/** The values of these fields, as `config` of a request. */
export function methodConfigOf(typed: Typed, namespace: string): Readonly<Record<string, unknown>> {
  const [url, template, email, kind] = [typed("url"), typed("template"), typed("email"), typed("kind")];
  const name = kind === "org" ? namespace : typed("target");
  return {
    url: url || undefined,
    template: template || undefined,
    email: email || undefined,
    target: kind !== "" ? { kind, name } : undefined,
  };
}
