/** A bar of a sparkline, in pixels. */
interface Spark {
  /** Which of the days it is, from 0. */
  readonly day: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The lowest bar that is still seen. */
const leastHeight = 2;

/** The bars of counts that are not zero, the largest as high as the drawing. */
export function sparks(
  counts: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Spark[] {
  const most = Math.max(...counts);
  const step = width / counts.length;
  return counts.flatMap((count, day) => {
    if (count === 0) return [];
    const tall = Math.max(leastHeight, Math.round((count / most) * height));
    return [{ day, x: day * step, y: height - tall, width: step - 1, height: tall }];
  });
}
