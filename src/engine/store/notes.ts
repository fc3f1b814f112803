import type { Connection } from './connection.ts';

/** A person's remark on a study, run or proposal. */
export interface NoteRecord {
  readonly noteId: string;
  readonly subjectKind: 'study' | 'run' | 'proposal';
  readonly subjectId: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
}

export interface NotesReader {
  /** Oldest first. */
  listBySubject(kind: NoteRecord['subjectKind'], subjectId: string): NoteRecord[];
}

export interface NotesWriter extends NotesReader {
  insert(note: NoteRecord): void;
}

interface NoteRow {
  note_id: string;
  subject_kind: NoteRecord['subjectKind'];
  subject_id: string;
  text: string;
  tags: string;
  created_at: number;
}

function fromRow(row: NoteRow): NoteRecord {
  return {
    noteId: row.note_id,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    text: row.text,
    tags: JSON.parse(row.tags),
    createdAt: row.created_at,
  };
}

export function createNotes(db: Connection): NotesWriter {
  const insert = db.prepare(`
    INSERT INTO notes (note_id, subject_kind, subject_id, text, tags, created_at)
    VALUES (@noteId, @subjectKind, @subjectId, @text, @tags, @createdAt)`);
  const list = db.prepare<NoteRow>(
    'SELECT * FROM notes WHERE subject_kind = @kind AND subject_id = @subjectId ORDER BY created_at, rowid',
  );
  return {
    listBySubject: (kind, subjectId) => list.all({ kind, subjectId }).map(fromRow),
    insert: (note) => void db.write(() => insert.run({ ...note, tags: JSON.stringify(note.tags) })),
  };
}
