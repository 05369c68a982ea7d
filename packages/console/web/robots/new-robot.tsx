import type { FormEvent } from "react";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { type RobotOwner, type RobotSecret, useRobotChanges } from "./robot-calls.ts";

const words = texts.robots;

interface Props {
  readonly owner: RobotOwner;
  readonly onSecret: (secret: RobotSecret) => void;
}

/** Makes a robot. */
export function NewRobot({ owner, onSecret }: Props) {
  const { created, paramsOf } = useRobotChanges(owner);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const params = paramsOf(String(typed.get("name")));
    const body = { description: String(typed.get("description")) };
    created.mutate(
      { params, body },
      {
        onSuccess(secret) {
          onSecret(secret);
          form.reset();
        },
      },
    );
  };
  return (
    <>
      <form className="line" onSubmit={submit}>
        <TextField name="name" label={words.name} required maxLength={255} rule={words.nameRule} />
        <TextField name="description" label={words.description} maxLength={255} />
        <button type="submit" className="primary" disabled={created.isPending}>
          {words.create}
        </button>
      </form>
      {created.isError && <Failure error={created.error} />}
    </>
  );
}
