import type { Typed } from "../shared/change-form.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.quotas;

type Unit = keyof typeof words.units;

const bytesOf: Readonly<Record<Unit, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };

/** Fields for a number of bytes, as an amount and a unit. @param bytes the initial value; 10 GiB by default */
export function AmountFields({ bytes = 10 * bytesOf.GiB }: { readonly bytes?: number | undefined }) {
  const unit = (["TiB", "GiB"] as const).find((each) => bytes % bytesOf[each] === 0) ?? "MiB";
  return (
    <>
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
    </>
  );
}

/** The value of these fields, in bytes. */
export function typedBytes(typed: Typed): number {
  return Math.round(Number(typed("amount")) * bytesOf[chosenOf(words.units, typed("unit"))]);
}
