import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { type RobotOwner, type RobotSecret, useRobotChanges } from "./robot-calls.ts";

const words = texts.robots;

interface Props {
  readonly owner: RobotOwner;
  readonly onSecret: (secret: RobotSecret) => void;
}

/** Creates a robot. */
export function NewRobot({ owner, onSecret }: Props) {
  const { created, paramsOf } = useRobotChanges(owner);
  const given = (typed: Typed) => ({ params: paramsOf(typed("name")), body: { description: typed("description") } });
  return (
    <ChangeForm label={words.create} change={created} given={given} onDone={onSecret}>
      <TextField name="name" label={words.name} required maxLength={255} rule={words.nameRule} />
      <TextField name="description" label={words.description} maxLength={255} />
    </ChangeForm>
  );
}
