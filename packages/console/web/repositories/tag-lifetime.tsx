import { useState } from "react";
import { useChange } from "../api/use-change.ts";
import { endOfDay } from "../ignore-rules/expiry-field.tsx";
import { ActionButton } from "../shared/action-button.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/fields.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import { type ListedTag, ofTags } from "./tag-query.ts";

const words = texts.tagLifetime;

const dayMs = 86_400_000;

interface Props extends RepositoryName {
  readonly tag: ListedTag;
}

/** The expiration and immutability of a tag, with forms that change them. */
export function TagLifetime({ tag, ...name }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="unseen">{words.change(tag.name)}</span>
        <TagEnd tag={tag} />
      </button>
      {isOpen && <LifetimeForms tag={tag} {...name} onDone={() => setOpen(false)} />}
    </>
  );
}

/** The expiration and immutability of a tag, as text. */
export function TagEnd({ tag: { end_ts: at, immutable: isImmutable } }: Pick<Props, "tag">) {
  return (
    <>
      {at === undefined ? words.never : <Time at={at * 1000} />}
      {isImmutable && `, ${words.immutable}`}
    </>
  );
}

/** The last day of tags, in 30 days unless another is entered. */
export function LastDayField() {
  const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  return <TextField name="end" type="date" label={words.end} required min={day(1)} defaultValue={day(30)} />;
}

/** The end of the day in {@link LastDayField}, in epoch seconds. */
export function typedEnd(typed: Typed): number {
  return Date.parse(endOfDay(typed("end"))) / 1000;
}

function LifetimeForms({ tag, namespace, repository, onDone }: Props & { readonly onDone: () => void }) {
  const expiry = useChange("PUT /repository/{repository}/tag/{tag}", ofTags);
  const never = useChange("PUT /repository/{repository}/tag/{tag}", ofTags);
  const lock = useChange("PUT /repository/{repository}/tag/{tag}", ofTags);
  const params = { repository: `${namespace}/${repository}`, tag: tag.name };
  const isImmutable = { immutable: !tag.immutable };
  return (
    <div className="fields">
      {!tag.immutable && (
        <>
          <ChangeForm
            label={words.save}
            change={expiry}
            given={(typed) => ({ params, body: { expiration: typedEnd(typed) } })}
            onDone={onDone}
          >
            <LastDayField />
          </ChangeForm>
          {tag.end_ts !== undefined && (
            <ActionButton
              label={words.keep}
              change={never}
              given={{ params, body: { expiration: null } }}
              onDone={onDone}
            />
          )}
        </>
      )}
      <ActionButton
        label={tag.immutable ? words.unlock : words.lock}
        change={lock}
        given={{ params, body: isImmutable }}
        onDone={onDone}
      />
    </div>
  );
}
