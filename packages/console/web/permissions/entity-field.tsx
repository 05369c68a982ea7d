import { useDeferredValue, useId, useState } from "react";
import { useOperation } from "../api/use-operation.ts";
import { TextField } from "../shared/fields.tsx";

interface Props {
  readonly name: string;
  readonly label: string;
  /** The namespace whose robots and teams are suggested too. */
  readonly namespace: string;
  readonly kind?: "user" | "team";
  readonly isOptional?: boolean;
  readonly defaultValue?: string;
}

/** A field for the name of a user, robot or team. It suggests names that begin with the typed text. */
export function EntityField({ name, label, namespace, kind = "user", isOptional = false, defaultValue }: Props) {
  const list = useId();
  const [text, setText] = useState("");
  const prefix = useDeferredValue(text.trim());
  const found = useOperation(
    "GET /entities/{prefix}",
    { params: { prefix }, query: { namespace, includeTeams: kind === "team" } },
    { enabled: prefix !== "" },
  );
  return (
    <>
      <TextField
        name={name}
        label={label}
        required={!isOptional}
        maxLength={255}
        autoComplete="off"
        list={list}
        defaultValue={defaultValue}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id={list}>
        {found.data?.results
          .filter((each) => each.kind === kind)
          .map((each) => (
            <option key={each.name} value={each.name} />
          ))}
      </datalist>
    </>
  );
}
