import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '../../shared/std/app-error.ts';

export interface Notice {
  readonly id: number;
  readonly level: 'info' | 'success' | 'error';
  readonly title: string;
  readonly detail: string;
}

export interface NoticesModel {
  readonly store: StoreApi<{ readonly notices: readonly Notice[] }>;
  show(level: Notice['level'], title: string, detail?: string): void;
  /** Shows a failure under the title of what was being done; the detail keeps the error's own words. */
  report(title: string, thrown: unknown): void;
  dismiss(id: number): void;
  /** Takes away the errors of that title: what they tell of has worked since. */
  settle(title: string): void;
}

const maxNotices = 4;

/** Short messages in the corner of the window. Errors stay until dismissed, or until the same thing works. */
export function createNoticesModel(): NoticesModel {
  const store = createStore<{ readonly notices: readonly Notice[] }>(() => ({ notices: [] }));
  let nextId = 1;
  const model: NoticesModel = {
    store,
    show(level, title, detail = '') {
      const notice = { id: nextId++, level, title, detail };
      store.setState((state) => ({
        notices: [...state.notices.filter((other) => !isSame(other, notice)), notice].slice(-maxNotices),
      }));
    },
    report(title, thrown) {
      const error = AppError.from(thrown);
      model.show('error', title, `${error.message} (${error.code})`);
    },
    settle(title) {
      const isOver = (notice: Notice): boolean => notice.level === 'error' && notice.title === title;
      const { notices } = store.getState();
      if (notices.some(isOver)) store.setState({ notices: notices.filter((notice) => !isOver(notice)) });
    },
    dismiss(id) {
      store.setState((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) }));
    },
  };
  return model;
}

/** Said again, it replaces what was said before. */
function isSame(a: Notice, b: Notice): boolean {
  return a.level === b.level && a.title === b.title && a.detail === b.detail;
}
