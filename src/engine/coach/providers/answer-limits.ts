/** Bounds of what an answer may hold, in characters. The parser holds every provider to them. */
export const textLimits = {
  analysis: 800,
  target: 80,
  edl: 600,
  description: 300,
  hint: 80,
  metric: 64,
  why: 300,
  wish: 200,
  wishes: 3,
  changes: 2,
} as const;

/** What a generating model may write of prose: less than is read, so that an answer ends before its tokens do. */
export const proseLengths = { analysis: 300, description: 120, why: 120, wish: 100, wishes: 2 } as const;
