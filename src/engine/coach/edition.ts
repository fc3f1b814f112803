/**
 * Edition of the rules by which coaches choose and decide from what is on record: the catalogue of edits,
 * providers, memory, rests, trials, what snapshots tell. It is raised with every change of them after which a study that is taken up may come
 * to other decisions. What a run keeps of the way it began (prompts, settings, experience) needs no other edition.
 */
export const coachEdition = 8;
