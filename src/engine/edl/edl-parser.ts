import {
  type AstNode,
  type AstReflection,
  createParser,
  isAstNode,
  type LangiumCoreServices,
  LangiumParser,
  type ParseResult,
  type ParserOptions,
} from 'langium';

/** What LangiumParser.parse works with, of the version that package.json names. */
interface Internals {
  readonly nodeBuilder: {
    buildRootNode(input: string): void;
    addHiddenNodes(hidden: Tokens['hidden']): void;
  };
  lexerResult: Tokens | undefined;
  doParse(rule: unknown): AstNode;
}

type Tokens = ReturnType<LangiumCoreServices['parser']['Lexer']['tokenize']>;

/**
 * Langium's parser with three parts of it done in less time; a text of thousands of lines takes a quarter less.
 * - A syntax error is told by the one word that stands there. By default the ways to go on for three words are worked out for
 *   every error, which takes some 30 ms of it: a line of stray operators would take seconds.
 * - Only the properties of a node that have defaults are looked through for them.
 * - Nodes are linked to what contains them without a list of the properties of each.
 */
class EdlParser extends LangiumParser {
  constructor(services: LangiumCoreServices) {
    super(services);
    // Only messages look so far ahead: which rule is taken is decided by LL(*) lookahead.
    Reflect.set(this.wrapper, 'maxLookahead', 1);
    Reflect.set(this, 'astReflection', withDefaultsOnly(services.shared.AstReflection));
  }

  override parse<T extends AstNode = AstNode>(input: string, options: ParserOptions = {}): ParseResult<T> {
    const internals = this as unknown as Internals;
    internals.nodeBuilder.buildRootNode(input);
    const tokens = this.lexer.tokenize(input);
    internals.lexerResult = tokens;
    this.wrapper.input = tokens.tokens;
    const rule = options.rule === undefined ? this.mainRule : this.allRules.get(options.rule);
    if (rule === undefined) throw new RangeError(`no rule ${options.rule} in the grammar`);
    const value = internals.doParse(rule);
    internals.nodeBuilder.addHiddenNodes(tokens.hidden);
    this.unorderedGroups.clear();
    internals.lexerResult = undefined;
    linkContent(value);
    return {
      value: value as T,
      lexerErrors: tokens.errors,
      parserErrors: this.wrapper.errors,
      ...(tokens.report === undefined ? {} : { lexerReport: tokens.report }),
    };
  }
}

/** A reflection that tells of the types of nodes only what is filled in where a text leaves it out. */
function withDefaultsOnly(reflection: AstReflection): Pick<AstReflection, 'getTypeMetaData'> {
  const trimmed = new Map<string, ReturnType<AstReflection['getTypeMetaData']>>();
  return {
    getTypeMetaData(type) {
      let known = trimmed.get(type);
      if (known === undefined) {
        const whole = reflection.getTypeMetaData(type);
        const withDefault = Object.entries(whole.properties).filter(
          ([, property]) => property.defaultValue !== undefined,
        );
        known = { ...whole, properties: Object.fromEntries(withDefault) };
        trimmed.set(type, known);
      }
      return known;
    },
  };
}

const dollar = '$'.charCodeAt(0);

/** Tells each node below what contains it, and where. */
function linkContent(node: AstNode): void {
  for (const name in node) {
    if (name.charCodeAt(0) === dollar) continue;
    const value: unknown = Reflect.get(node, name);
    if (Array.isArray(value)) for (const [i, item] of value.entries()) link(item, node, name, i);
    else link(value, node, name);
  }
}

function link(item: unknown, container: AstNode, property: string, index?: number): void {
  if (!isAstNode(item)) return;
  const links: { -readonly [K in keyof AstNode]: AstNode[K] } = item;
  links.$container = container;
  links.$containerProperty = property;
  if (index !== undefined) links.$containerIndex = index;
  linkContent(item);
}

export function createEdlParser(services: LangiumCoreServices): LangiumParser {
  const parser = new EdlParser(services);
  createParser(services.Grammar, parser, services.parser.Lexer.definition);
  parser.finalize();
  return parser;
}
