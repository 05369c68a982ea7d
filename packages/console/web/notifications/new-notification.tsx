import { useState } from "react";
import { useChange } from "../api/use-change.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { Command } from "../shared/command.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { AskAddress } from "./ask-address.tsx";
import { EventFields, eventConfigOf, type NotificationEvent } from "./event-fields.tsx";
import { type Method, MethodFields, methodConfigOf } from "./method-fields.tsx";

const words = texts.notifications;

/** Adds a notification. The secret that signs a webhook is shown once. */
export function NewNotification({ repository }: { readonly repository: ShownRepository }) {
  const [event, setEvent] = useState<NotificationEvent>("repo_push");
  const [method, setMethod] = useState<Method>("webhook");
  const change = useChange("POST /repository/{repository}/notification/", [
    "GET /repository/{repository}/notification/",
  ]);
  const { namespace, name, is_organization: isOrganization } = repository;
  const params = { repository: `${namespace}/${name}` };
  const given = (typed: Typed) => ({
    params,
    body: {
      event: chosenOf(words.events, typed("event")),
      method: chosenOf(words.methods, typed("method")),
      eventConfig: eventConfigOf(typed),
      config: methodConfigOf(typed, namespace),
      title: typed("title") || null,
    },
  });
  const reset = () => {
    setEvent("repo_push");
    setMethod("webhook");
  };
  return (
    <>
      <ChangeForm label={words.add} change={change} given={given} onDone={reset}>
        <SelectField name="event" label={words.event} options={words.events} onChoice={setEvent} />
        <EventFields event={event} />
        <SelectField name="method" label={words.method} options={words.methods} onChoice={setMethod} />
        <MethodFields method={method} namespace={namespace} isOrganization={isOrganization} />
        <TextField name="title" label={words.name} maxLength={255} />
      </ChangeForm>
      {method === "email" && <AskAddress repository={params.repository} />}
      {change.data?.secret !== undefined && (
        <div className="notice" role="status">
          <p>{words.secret}</p>
          <Command line={change.data.secret} />
        </div>
      )}
    </>
  );
}
