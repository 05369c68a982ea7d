/** Returns a value that an earlier stage has set. @throws TypeError if it is missing */
export function noted<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("a stage ran before the stage that it needs");
  return value;
}
