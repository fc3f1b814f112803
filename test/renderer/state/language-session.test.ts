import { describe, expect, test } from 'vitest';
import { LanguageSession } from '../../../src/renderer/state/language-session.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { createFakeClient } from '../support/fake-client.ts';
import { fakeLanguage } from '../support/fake-language.ts';

function setUp() {
  const language = fakeLanguage(async () => []);
  const fake = createFakeClient({ edl: language.calls });
  const session = new LanguageSession(fake.client, 'w1');
  const verbs = () => fake.calls.map(({ call }) => call.replace('edl.', ''));
  return { language, fake, session, verbs };
}

const path = 'a.edl';

describe('LanguageSession', () => {
  test('tells a text once, and a changed one as the next version', async () => {
    const { session, verbs, fake } = setUp();
    await session.ask('diagnose', { path, text: 'one' }, {});
    await session.ask('diagnose', { path, text: 'one' }, {});
    await session.ask('diagnose', { path, text: 'two' }, {});
    expect(verbs()).toEqual(['open', 'diagnose', 'diagnose', 'change', 'diagnose']);
    expect(fake.calls.at(-1)?.args).toEqual({ session: 'w1', path, version: 2 });
  });

  test('a question that was overtaken has no answer', async () => {
    const { session } = setUp();
    const answers = await Promise.all(
      ['one', 'two'].map((text) => session.ask('diagnose', { path, text }, {})),
    );
    expect(answers).toEqual([null, expect.objectContaining({ diagnostics: [] })]);
  });

  test('opens a document again that the engine does not know any more', async () => {
    const { session, language, verbs } = setUp();
    await session.ask('diagnose', { path, text: 'one' }, {});
    language.documents.clear();
    expect(await session.ask('diagnose', { path, text: 'one' }, {})).not.toBeNull();
    expect(verbs()).toEqual(['open', 'diagnose', 'diagnose', 'open', 'diagnose']);
  });

  test('closes what was opened, and only that', async () => {
    const { session, language, verbs } = setUp();
    session.close(path);
    await session.ask('diagnose', { path, text: 'one' }, {});
    session.close(path);
    expect(verbs()).toEqual(['open', 'diagnose', 'close']);
    expect(language.documents.size).toBe(0);
  });

  test('passes other failures on', async () => {
    const fake = createFakeClient({
      edl: {
        open: async () => ({}),
        diagnose: async () => {
          throw new AppError('engine.unavailable', 'gone');
        },
      },
    });
    const asked = new LanguageSession(fake.client, 'w1').ask('diagnose', { path, text: 'x' }, {});
    expect(await rejectedBy(asked)).toMatchObject({ code: 'engine.unavailable' });
  });
});
