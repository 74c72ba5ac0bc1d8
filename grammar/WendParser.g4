// Syntax of the Wend language. One decision per token almost everywhere (see the reserved words in the lexer), so that the
// generated parser switches on the next token and a process pays no warm-up for prediction.
// The parser is started on one `item` at a time: compiler/syntax/parser.cpp cuts the file at declarations, which is how
// one mistake stays one error.
parser grammar WendParser;

options { tokenVocab = WendLexer; }

item
  : edition EOF | moduleName EOF | use EOF
  | param EOF | enumeration EOF | fn EOF | detect EOF | metric EOF | judge EOF | reward EOF | test EOF
  | belief EOF | cues EOF | render EOF | scenario EOF | phrases EOF | filter EOF | context EOF
  ;

edition: EDITION INTEGER;
moduleName: MODULE path;
use: USE path;
path: name (DOT name)*;

// ---- core declarations ----------------------------------------------------------------------------------------------
param: PARAM name COLON type ASSIGN coalescence (IN additive DOTDOT additive)?;
enumeration: ENUM name LBRACE label (COMMA label?)* RBRACE;
fn: FN name parameters (ARROW type)? ASSIGN expression;
detect: DETECT name ON subject ASSIGN expression;
metric: METRIC name COLON type ASSIGN expression;

judge: JUDGE name ON subject LBRACE judgePart* RBRACE;
judgePart: NAME ASSIGN expression | SYSTEM text | PROMPT text;  // the name is `rule`

reward: REWARD name ON subject judgeLimit? LBRACE (stop | layer | clamp)* RBRACE;
judgeLimit: JUDGES AT MOST INTEGER;
stop: STOP name ASSIGN expression;
layer: (LAYER name (STAR expression)? supervises? | name) LBRACE term* RBRACE;
supervises: SUPERVISES name (COMMA name)*;
term: NAME ASSIGN expression;
clamp: CLAMP additive DOTDOT additive;

subject: name COLON type;
parameters: LPAREN (parameter (COMMA parameter?)*)? RPAREN;
parameter: name (COLON type)? (ASSIGN expression)?;
type: name (LESS type (COMMA type)* GREATER)? QUESTION? (IN additive DOTDOT additive)?;

// ---- tests ----------------------------------------------------------------------------------------------------------
test: TEST text LBRACE (trace | setting | expectation)* RBRACE;
setting: SET name ASSIGN expression;
expectation: EXPECT expected (COMMA expected)*;
expected: expression (STALE expression)?;

trace: TRACE LBRACE traceItem* RBRACE;
traceItem
  : TOOL toolName parameters
  | (SYSTEM | USER | RESULT | REPLY) text
  | CALL callLiteral (AND callLiteral)*
  | goldLiteral
  | CHAIN LBRACKET (link (COMMA link?)*)? RBRACKET
  | FAMILY label
  | SCENARIO label
  ;
callLiteral: toolName LPAREN (argumentLiteral (COMMA argumentLiteral?)*)? RPAREN;
argumentLiteral: key COLON expression;
goldLiteral: GOLD TURN INTEGER LBRACE goldLiteralItem* RBRACE;
goldLiteralItem
  : CALLS LBRACKET (callLiteral (COMMA callLiteral?)*)? RBRACKET
  | STALE toolName ASSIGN expression
  | SIGNAL label
  | KIND label
  | MISSING LBRACKET (key (COMMA key?)*)? RBRACKET
  ;
link: TURN INTEGER CALL INTEGER (NEEDS INTEGER (AND INTEGER)*)?;
toolName: (name | text) (DOT (name | text))*;
key: name | text;

// ---- belief, cues, render -------------------------------------------------------------------------------------------
belief: BELIEF name LBRACE (beliefField COMMA? | handler)* RBRACE;
beliefField
  : (SLOTS | GOAL | STACK | LAST | QUEUE | OBJECTS) name
  | NAME COLON type (ASSIGN expression)?
  ;
handler: ON name LPAREN name RPAREN block;
block: LBRACE statement* RBRACE;
statement
  : WHEN_BLOCK disjunction block (ELSE block)?
  | OVERWRITE expression WITH expression
  | PUSH name expression
  | POP expression (INTO expression)?
  | (SUSPEND | RESUME | CONFIRM | UNCONFIRM | CLEAR) expression
  | name suffix* (ASSIGN expression)?
  ;

cues: CUES name LBRACE cueEntry* RBRACE;
cueEntry: NAME COLON text+ (WEIGHT additive)?;

render: RENDER name OF subject AS name renderBudget? LBRACE renderBlock* RBRACE;
renderBudget: WITHIN additive (BYTES | TOKENS) (SHORTENING name (COMMA name)*)?;
renderBlock: name (list | object);

// ---- scenario, phrases, filter, context -----------------------------------------------------------------------------
scenario: SCENARIO name (IN name)? text? LBRACE scenarioItem* RBRACE;
scenarioItem
  : FROM name (WITH (NAME | PARAM)+)?
  | LET binding
  | inject
  | SPLICE NAME+ point
  | scenarioGold
  | REQUIRE expression
  | PRIMARY name
  | SHARE additive
  ;
binding: name ASSIGN (ONE OF expression | FRESH VALUE OF expression | expression) (IF expression)*;
inject: INJECT point LBRACE scenarioStep* RBRACE (WHERE binding (COMMA binding)*)?;
point: (AFTER | BEFORE) name (LPAREN expression RPAREN)?;
scenarioStep
  : (SYSTEM | USER | REPLY) expression
  | RESULT text?
  | CALL callChange (COMMA callChange)*
  ;
callChange: postfix (WITH change (AND change)*)?;
change: name ASSIGN additive;
scenarioGold: GOLD LBRACE scenarioGoldItem* RBRACE;
scenarioGoldItem
  : CALLS (LBRACKET (callChange (COMMA callChange?)*)? RBRACKET | name)
  | STALE postfix ASSIGN expression
  | SIGNAL label
  | KIND label
  | MISSING LBRACKET (expression (COMMA expression?)*)? RBRACKET
  | ABANDON name
  | REFERENCE expression
  ;

phrases: PHRASES name parameters LBRACE text* RBRACE;

filter: FILTER name LBRACE filterRule* RBRACE;
filterRule
  : EVERY name IN expression COLON filterCheck (COMMA filterCheck)*
  | REQUIRE filterCheck (COMMA filterCheck)*
  ;
filterCheck: expression (REPAIR name)?;

context: CONTEXT label parameters? LBRACE contextStep* RBRACE;
contextStep
  : HISTORY (ALL | NONE | CURRENT TURN | LAST expression TURNS)
  | DRAFT name (FROM name)?
  | (RENDER | INJECT | UPDATE) name
  | INSTRUCT text
  | CARRY name DRAFTED BY name
  | COMPRESS name BY name (TO additive TOKENS)? (WHEN disjunction)?
  ;

// ---- expressions, loosest first -------------------------------------------------------------------------------------
wholeExpression: expression EOF;
expression: choice (CAP choice)*;
choice: guarded (WHEN disjunction (ELSE choice)?)?;
guarded: disjunction (ELSE disjunction)*;
disjunction: conjunction (OR conjunction)*;
conjunction: inversion (AND inversion)*;
inversion: NOT inversion | comparison;
comparison: ranged (comparator ranged)*;  // at most one; more are reported with the way to write them
comparator
  : EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL
  | IS NOT? | NOT IN | IN | HAS NOT? | MENTIONED IN
  ;
ranged: coalescence (DOTDOT coalescence)?;
coalescence: additive (COALESCE additive)*;
additive: multiplicative ((PLUS | MINUS) multiplicative)*;
multiplicative: unary ((STAR | SLASH) unary)*;
unary: MINUS unary | postfix;
postfix: primary suffix*;
suffix
  : DOT name
  | arguments
  | LBRACKET expression RBRACKET
  | EXISTS
  | NONEMPTY
  | EXCEPT name
  ;
primary
  : INTEGER | REAL | PERCENT | text | TRUE | FALSE | NONE
  | name
  | JUDGE name
  | LPAREN expression RPAREN
  | TIER expression LBRACE tierArm (COMMA tierArm?)* RBRACE
  | list
  | object
  ;
tierArm
  : ELSE expression
  | DOTDOT coalescence FAT_ARROW expression
  | coalescence (DOTDOT coalescence?)? FAT_ARROW expression
  ;
arguments: LPAREN (argument (COMMA argument?)*)? RPAREN;
argument: DISTINCT? expression clause*;
clause: FOR name (COMMA name)? IN expression | IF expression;
list: LBRACKET (argument (COMMA argument?)*)? RBRACKET;
object: LBRACE (entry (COMMA entry?)*)? clause* RBRACE;
entry: (NAME | text) COLON expression;

text: TEXT | LONG_TEXT;
label: name | NONE;
name
  : NAME
  | EDITION | MODULE | USE | PARAM | ENUM | FN | DETECT | METRIC | REWARD | TEST | BELIEF | CUES | RENDER | SCENARIO
  | PHRASES | FILTER | CONTEXT
  | ON | OF | AS | AT | BY | TO | INTO | WITH | FROM | JUDGES | MOST | SUPERVISES | PROMPT
  | TRACE | TOOL | SYSTEM | USER | CALL | RESULT | REPLY | GOLD | TURN | CALLS | STALE | SIGNAL | KIND | MISSING | CHAIN
  | NEEDS | FAMILY | SET | EXPECT
  | SLOTS | GOAL | STACK | LAST | QUEUE | OBJECTS | WEIGHT
  | LET | VALUE | INJECT | AFTER | BEFORE | WHERE | SPLICE | ABANDON | REFERENCE | REQUIRE | PRIMARY | SHARE
  | EVERY | REPAIR
  | HISTORY | ALL | CURRENT | TURNS | DRAFT | CARRY | DRAFTED | COMPRESS | TOKENS | INSTRUCT | UPDATE
  | WITHIN | BYTES | SHORTENING
  ;
