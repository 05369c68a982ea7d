/** What a stage noted of a request. @throws TypeError where no stage has */
export function noted<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("a stage ran before the stage that it needs");
  return value;
}
