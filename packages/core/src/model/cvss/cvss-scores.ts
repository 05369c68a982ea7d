/** The scores of a vector, from 0 to 10 with one decimal. */
export interface CvssScores {
  /** Of the base metrics alone. */
  readonly base: number;
  /** With the temporal metrics, where the vector has any; CVSS 4.0 has no such score. */
  readonly temporal?: number;
  /** With the environmental metrics too, where the vector has any; CVSS 4.0 has no such score. */
  readonly environmental?: number;
  /** With all metrics of the vector. */
  readonly overall: number;
}
