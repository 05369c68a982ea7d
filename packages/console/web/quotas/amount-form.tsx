import type { UseMutationResult } from "@tanstack/react-query";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.quotas;

type Unit = keyof typeof words.units;

const bytesOf: Readonly<Record<Unit, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };

interface Props<Given, Result> {
  /** The quota as it is; absent where there is none. */
  readonly bytes?: number;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutate" | "error" | "isPending">;
  readonly given: (bytes: number) => Given;
}

/** A number of bytes with a unit. */
export function AmountForm<Given, Result>({ bytes = 10 * bytesOf.GiB, change, given }: Props<Given, Result>) {
  const unit = (["TiB", "GiB"] as const).find((each) => bytes % bytesOf[each] === 0) ?? "MiB";
  const typedBytes = (typed: Typed) =>
    Math.round(Number(typed("amount")) * bytesOf[chosenOf(words.units, typed("unit"))]);
  return (
    <ChangeForm label={words.set} change={change} given={(typed) => given(typedBytes(typed))}>
      <TextField
        name="amount"
        label={words.amount}
        type="number"
        min={0}
        step="any"
        required
        defaultValue={bytes / bytesOf[unit]}
      />
      <SelectField name="unit" label={words.unit} options={words.units} defaultValue={unit} />
    </ChangeForm>
  );
}
