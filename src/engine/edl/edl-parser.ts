import { createParser, type LangiumCoreServices, LangiumParser } from 'langium';

/**
 * Langium's parser, except that a syntax error is told by the one word that stands there. By default the ways to go on for three
 * words are worked out for every error, which takes some 30 ms of it: a line of stray operators would take seconds.
 */
class EdlParser extends LangiumParser {
  constructor(services: LangiumCoreServices) {
    super(services);
    // Only messages look so far ahead: which rule is taken is decided by LL(*) lookahead.
    Reflect.set(this.wrapper, 'maxLookahead', 1);
  }
}

export function createEdlParser(services: LangiumCoreServices): LangiumParser {
  const parser = new EdlParser(services);
  createParser(services.Grammar, parser, services.parser.Lexer.definition);
  parser.finalize();
  return parser;
}
