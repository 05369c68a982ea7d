import { useState } from "react";
import { useChange } from "../api/use-change.ts";
import { EntityField } from "../permissions/entity-field.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { Command } from "../shared/copy-button.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";
import { type NotificationOwner, notificationCalls } from "./notification-calls.ts";

const words = texts.notifications;

/** Adds a notification. The secret that signs a webhook is shown once. */
export function NewNotification({ owner }: { readonly owner: NotificationOwner }) {
  const { create, list, params, isOfRepository } = notificationCalls(owner);
  const { namespace } = owner;
  const events: Readonly<Partial<Record<NotificationEvent, string>>> = isOfRepository
    ? words.events
    : words.namespaceEvents;
  const first = isOfRepository ? "repo_push" : "vulnerability_found";
  const [event, setEvent] = useState<NotificationEvent>(first);
  const [method, setMethod] = useState<Method>("webhook");
  const change = useChange(create, [list]);
  const given = (typed: Typed) => ({
    params,
    body: {
      event: chosenOf(events, typed("event")) as "vulnerability_found", // the registry knows which its owner has
      method: chosenOf(words.methods, typed("method")),
      eventConfig: eventConfigOf(typed),
      config: methodConfigOf(typed, namespace),
      title: typed("title") || null,
    },
  });
  const reset = () => {
    setEvent(first);
    setMethod("webhook");
  };
  return (
    <>
      <ChangeForm label={words.add} change={change} given={given} onDone={reset}>
        <SelectField name="event" label={words.event} options={events} onChoice={setEvent} />
        <EventFields event={event} />
        <SelectField name="method" label={words.method} options={words.methods} onChoice={setMethod} />
        <MethodFields method={method} owner={owner} />
        <TextField name="title" label={words.name} maxLength={255} />
      </ChangeForm>
      {method === "email" && isOfRepository && <AskAddress repository={params.repository} />}
      {method === "email" && !isOfRepository && <p>{words.toAdmins}</p>}
      {change.data?.secret !== undefined && (
        <div className="notice" role="status">
          <p>{words.secret}</p>
          <Command line={change.data.secret} label={texts.credentials.secret} />
        </div>
      )}
    </>
  );
}

/** Asks the owner of an e-mail address to agree to notifications of a repository. */
function AskAddress({ repository }: { readonly repository: string }) {
  const change = useChange("POST /repository/{repository}/authorizedemail/{email}", [
    "GET /repository/{repository}/authorizedemail/{email}",
  ]);
  return (
    <>
      <p>{words.askAbout}</p>
      <ChangeForm
        label={words.ask}
        change={change}
        given={(typed) => ({ params: { repository, email: typed("asked") } })}
      >
        <TextField name="asked" label={words.email} type="email" required />
      </ChangeForm>
      {change.data !== undefined && (
        <p role="status">{change.data.confirmed ? words.agreed(change.data.email) : words.asked(change.data.email)}</p>
      )}
    </>
  );
}

/** The kind of event that a notification reports. */
type NotificationEvent = keyof typeof words.events;

/** The fields that narrow the events of a kind. */
function EventFields({ event }: { readonly event: NotificationEvent }) {
  if (event === "vulnerability_found") {
    return <SelectField name="level" label={words.level} options={words.levels} defaultValue="5" />;
  }
  if (event === "repo_image_expiry") {
    return <TextField name="days" label={words.days} type="number" min={1} required defaultValue={7} />;
  }
  return event.startsWith("build_") && <TextField name="reference" label={words.reference} maxLength={256} />;
}

/** The values of these fields, as `eventConfig` of a request. */
function eventConfigOf(typed: Typed): Readonly<Record<string, unknown>> {
  const [level, days, reference] = [typed("level"), typed("days"), typed("reference")];
  return {
    level: level !== "" ? Number(level) : undefined,
    days: days !== "" ? Number(days) : undefined,
    "ref-regex": reference || undefined,
  };
}

/** The method by which a notification is sent. */
type Method = keyof typeof words.methods;

interface Props {
  readonly method: Method;
  readonly owner: NotificationOwner;
}

/** The fields of a method. E-mail about a namespace is sent to its admins. */
function MethodFields({ method, owner }: Props) {
  const { namespace, isOrganization } = owner;
  switch (method) {
    case "email":
      if (owner.repository === undefined) return undefined;
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

function TargetFields({ namespace, isOrganization }: Pick<NotificationOwner, "namespace" | "isOrganization">) {
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
function methodConfigOf(typed: Typed, namespace: string): Readonly<Record<string, unknown>> {
  const [url, template, email, kind] = [typed("url"), typed("template"), typed("email"), typed("kind")];
  const name = kind === "org" ? namespace : typed("target");
  return {
    url: url || undefined,
    template: template || undefined,
    email: email || undefined,
    target: kind !== "" ? { kind, name } : undefined,
  };
}
