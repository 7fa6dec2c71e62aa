/**
 * `schema.ts` → Model. Purely syntactic: it reads what the file says and needs nothing else compiled.
 * Takes our transcriptions and the official files alike; a construct it does not know is an error
 * that names the place.
 */
import { readFileSync } from 'node:fs';
import {
  Node,
  Project,
  SyntaxKind,
  type ExpressionWithTypeArguments,
  type InterfaceDeclaration,
  type JSDocableNode,
  type SourceFile,
  type TypeAliasDeclaration,
  type TypeElementTypes,
  type TypeNode as Ast,
} from 'ts-morph';
import type { Definition, Model, ObjectNode, Property, TypeNode } from '../model.js';

export class ReadError extends Error {
  override readonly name = 'ReadError';
}

/** Reads one file. `source` is the folder name below `schemas/`. Throws `ReadError`. */
export function readModel(source: string, file: string): Model {
  return readModelText(source, readFileSync(file, 'utf8'), file);
}

export function readModelText(source: string, text: string, file = `${source}/schema.ts`): Model {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    compilerOptions: { strict: true },
  });
  return new Reader(project.createSourceFile(`/${source}.ts`, text), source, file).read();
}

type Tags = ReadonlyMap<string, string>;

class Reader {
  private readonly interfaces = new Map<string, InterfaceDeclaration[]>();
  private readonly aliases = new Map<string, TypeAliasDeclaration>();
  private readonly constants = new Map<string, string | number>();
  /** Local name → the name in the file it is imported from. */
  private readonly imported = new Map<string, string>();
  private readonly flattening = new Set<string>();

  constructor(
    private readonly file: SourceFile,
    private readonly source: string,
    private readonly path: string,
  ) {}

  read(): Model {
    this.refuseSyntaxErrors();
    for (const statement of this.file.getStatements()) this.collect(statement);
    const definitions: Record<string, Definition> = {};
    for (const name of [...this.interfaces.keys(), ...this.aliases.keys()].sort()) {
      definitions[name] = this.define(name);
    }
    return {
      source: this.source,
      definitions,
      constants: Object.fromEntries([...this.constants].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  private refuseSyntaxErrors(): void {
    const diagnostic = this.file.getProject().getProgram().getSyntacticDiagnostics(this.file).at(0);
    if (!diagnostic) return;
    const at = this.file.getLineAndColumnAtPos(diagnostic.getStart());
    const message = diagnostic.getMessageText();
    throw new ReadError(
      `${this.path}:${at.line}:${at.column}: ${typeof message === 'string' ? message : message.getMessageText()}`,
    );
  }

  private collect(statement: Node): void {
    if (Node.isImportDeclaration(statement)) {
      for (const name of statement.getNamedImports()) {
        const local = name.getAliasNode()?.getText() ?? name.getName();
        this.imported.set(local, name.getName());
      }
    } else if (Node.isInterfaceDeclaration(statement)) {
      if (statement.getTypeParameters().length > 0) throw this.unknown(statement);
      const name = statement.getName();
      this.interfaces.set(name, [...(this.interfaces.get(name) ?? []), statement]);
    } else if (Node.isTypeAliasDeclaration(statement)) {
      if (statement.getTypeParameters().length > 0) throw this.unknown(statement);
      this.aliases.set(statement.getName(), statement);
    } else if (Node.isVariableStatement(statement)) {
      for (const declaration of statement.getDeclarations()) {
        const value = constantValue(declaration.getInitializer());
        if (value === undefined) throw this.unknown(declaration);
        this.constants.set(declaration.getName(), value);
      }
    } else if (!Node.isExportDeclaration(statement) && !Node.isEmptyStatement(statement)) {
      throw this.unknown(statement);
    }
  }

  private define(name: string): Definition {
    const alias = this.aliases.get(name);
    if (alias) {
      const type = this.type(alias.getTypeNodeOrThrow(), tagsOf(alias));
      return { name, form: 'alias', extends: [], type };
    }
    const parts = this.interfaces.get(name) ?? [];
    const bases = parts.flatMap((part) => part.getExtends().map((base) => base.getText()));
    return {
      name,
      form: 'interface',
      extends: bases.map(heritageText).sort(),
      type: this.flatten(name),
    };
  }

  /** An interface or an alias of an object as one object, with what it inherits. Own members win. */
  private flatten(name: string): ObjectNode {
    if (this.flattening.has(name)) throw new ReadError(`${this.path}: ${name} extends itself`);
    this.flattening.add(name);
    try {
      const parts = this.interfaces.get(name);
      if (!parts) {
        const alias = this.aliases.get(name);
        if (!alias) throw new ReadError(`${this.path}: ${name} is extended but not declared here`);
        return this.objectOf(this.type(alias.getTypeNodeOrThrow(), tagsOf(alias)), alias);
      }
      let result: ObjectNode = { kind: 'object', properties: {} };
      for (const part of parts) {
        for (const base of part.getExtends()) result = inherit(result, this.heritage(base));
      }
      for (const part of parts) result = inherit(result, this.members(part.getMembers()));
      return sorted(result);
    } finally {
      this.flattening.delete(name);
    }
  }

  private heritage(base: ExpressionWithTypeArguments): ObjectNode {
    const name = base.getExpression().getText();
    const args = base.getTypeArguments();
    if (args.length === 0) return this.flatten(name);
    const [first, second] = args;
    if (name !== 'Omit' || !first || !second) throw this.unknown(base);
    const from = this.objectOf(this.type(first, new Map()), first);
    const omitted = new Set(
      membersOf(this.type(second, new Map())).map((node) =>
        node.kind === 'literal' ? String(node.value) : '',
      ),
    );
    const kept = Object.entries(from.properties).filter(([key]) => !omitted.has(key));
    return { ...from, properties: Object.fromEntries(kept) };
  }

  private objectOf(node: TypeNode, at: Node): ObjectNode {
    if (node.kind === 'object') return node;
    if (node.kind === 'ref') return this.flatten(node.name);
    throw this.unknown(at);
  }

  private members(members: readonly TypeElementTypes[]): ObjectNode {
    const result: ObjectNode = { kind: 'object', properties: {} };
    for (const member of members) {
      if (Node.isPropertySignature(member)) {
        const typeNode = member.getTypeNode();
        if (!typeNode) throw this.unknown(member);
        const property: Property = {
          optional: member.hasQuestionToken(),
          type: this.type(typeNode, tagsOf(member)),
        };
        result.properties[propertyName(member.getNameNode())] = property;
      } else if (Node.isIndexSignatureDeclaration(member)) {
        result.index = this.type(member.getReturnTypeNodeOrThrow(), new Map());
      } else {
        throw this.unknown(member);
      }
    }
    return sorted(result);
  }

  private type(node: Ast, tags: Tags): TypeNode {
    switch (node.getKind()) {
      case SyntaxKind.AnyKeyword:
      case SyntaxKind.UnknownKeyword:
        return { kind: 'any' };
      case SyntaxKind.NeverKeyword:
        return { kind: 'never' };
      case SyntaxKind.BooleanKeyword:
        return { kind: 'boolean' };
      case SyntaxKind.StringKeyword:
        return stringNode(tags);
      case SyntaxKind.NumberKeyword:
        return numberNode(tags);
      case SyntaxKind.ObjectKeyword:
        return { kind: 'object', properties: {}, index: { kind: 'any' } };
    }
    if (Node.isParenthesizedTypeNode(node)) return this.type(node.getTypeNode(), tags);
    if (Node.isTypeLiteral(node)) return this.members(node.getMembers());
    if (Node.isArrayTypeNode(node))
      return arrayNode(this.type(node.getElementTypeNode(), tags), tags);
    if (Node.isUnionTypeNode(node)) {
      const members = node.getTypeNodes().map((member) => this.type(member, tags));
      return { kind: 'union', members: inOrder(members) };
    }
    if (Node.isIntersectionTypeNode(node)) {
      const members = node.getTypeNodes().map((member) => this.type(member, tags));
      return { kind: 'intersection', members: inOrder(members) };
    }
    if (Node.isLiteralTypeNode(node)) {
      const literal = node.getLiteral();
      if (Node.isNullLiteral(literal)) return { kind: 'null' };
      if (Node.isTrueLiteral(literal)) return { kind: 'literal', value: true };
      if (Node.isFalseLiteral(literal)) return { kind: 'literal', value: false };
      const value = constantValue(literal);
      if (value !== undefined) return { kind: 'literal', value };
    }
    if (Node.isTypeQuery(node)) {
      const value = this.constants.get(node.getExprName().getText());
      if (value !== undefined) return { kind: 'literal', value };
    }
    if (Node.isTypeReference(node))
      return this.reference(node.getTypeName().getText(), node.getTypeArguments(), tags, node);
    throw this.unknown(node);
  }

  private reference(name: string, args: readonly Ast[], tags: Tags, at: Node): TypeNode {
    const [first, second] = args;
    if (!first) {
      if (this.interfaces.has(name) || this.aliases.has(name)) return { kind: 'ref', name };
      const original = this.imported.get(name);
      if (original !== undefined) return { kind: 'ref', name: original };
    } else if (name === 'Array' || name === 'ReadonlyArray') {
      return arrayNode(this.type(first, tags), tags);
    } else if (name === 'Record' && second) {
      return { kind: 'object', properties: {}, index: this.type(second, tags) };
    }
    throw this.unknown(at);
  }

  private unknown(node: Node): ReadError {
    const at = this.file.getLineAndColumnAtPos(node.getStart());
    const text = node.getText().replace(/\s+/g, ' ').slice(0, 80);
    return new ReadError(
      `${this.path}:${at.line}:${at.column}: cannot read ${node.getKindName()} \`${text}\``,
    );
  }
}

function constantValue(node: Node | undefined): string | number | undefined {
  if (node === undefined) return undefined;
  if (Node.isAsExpression(node)) return constantValue(node.getExpression());
  if (Node.isStringLiteral(node)) return node.getLiteralValue();
  if (Node.isNumericLiteral(node)) return node.getLiteralValue();
  if (Node.isPrefixUnaryExpression(node) && node.getOperatorToken() === SyntaxKind.MinusToken) {
    const value = constantValue(node.getOperand());
    return typeof value === 'number' ? -value : undefined;
  }
  return undefined;
}

const SCHEMA_TAGS = new Set([
  'TJS-type',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'format',
  'nullable',
]);

function tagsOf(node: JSDocableNode): Tags {
  const tags = new Map<string, string>();
  for (const doc of node.getJsDocs()) {
    for (const tag of doc.getTags()) {
      // The scanner ends a tag's name at a hyphen: `@TJS-type number` arrives as `TJS`, `-type number`.
      const [, name = '', value = ''] = /^@([\w-]+)[ \t]*([^\s*]*)/.exec(tag.getText()) ?? [];
      if (SCHEMA_TAGS.has(name)) tags.set(name, value);
    }
  }
  return tags;
}

/** A heritage clause without the accidents of its layout. */
function heritageText(text: string): string {
  return text.replace(/\s+/g, '').replace(/'/g, '"').replace(/,>$/, '>');
}

function propertyName(node: Node): string {
  return Node.isStringLiteral(node) ? node.getLiteralValue() : node.getText();
}

function stringNode(tags: Tags): TypeNode {
  const format = tags.get('format');
  return format === undefined ? { kind: 'string' } : { kind: 'string', format };
}

function numberNode(tags: Tags): TypeNode {
  const minimum = tags.get('minimum');
  const maximum = tags.get('maximum');
  return {
    kind: tags.get('TJS-type') === 'number' ? 'number' : 'integer',
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && { maximum: Number(maximum) }),
  };
}

function arrayNode(items: TypeNode, tags: Tags): TypeNode {
  const minItems = tags.get('minItems');
  const maxItems = tags.get('maxItems');
  return {
    kind: 'array',
    items,
    ...(minItems !== undefined && { minItems: Number(minItems) }),
    ...(maxItems !== undefined && { maxItems: Number(maxItems) }),
  };
}

function membersOf(node: TypeNode): TypeNode[] {
  return node.kind === 'union' ? node.members : [node];
}

/** The order in which a source lists members says nothing; references come first, by name. */
function inOrder(members: TypeNode[]): TypeNode[] {
  const key = (node: TypeNode): string =>
    node.kind === 'ref' ? `0${node.name}` : `1${JSON.stringify(node)}`;
  return members.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function inherit(base: ObjectNode, own: ObjectNode): ObjectNode {
  const index = own.index ?? base.index;
  return {
    kind: 'object',
    properties: { ...base.properties, ...own.properties },
    ...(index && { index }),
  };
}

function sorted(node: ObjectNode): ObjectNode {
  const entries = Object.entries(node.properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...node, properties: Object.fromEntries(entries) };
}
