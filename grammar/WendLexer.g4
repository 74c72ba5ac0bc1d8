// Words of the Wend language. The parser's own pass over the tokens (compiler/syntax/tokens.cpp) turns a keyword back into
// a NAME where only a name makes sense: after `.`, before `=` or `:`, and by its neighbours for the contextual ones.
// The input is bytes of valid UTF-8, so offsets of tokens are byte offsets.
lexer grammar WendLexer;

tokens { WHEN_BLOCK }  // `when` at the head of a statement with a block; made from WHEN by the pass over the tokens

channels { COMMENTS }

// ---- operators and literals that are words: names only after `.` or before `=` and `:`
AND: 'and'; OR: 'or'; NOT: 'not'; IN: 'in'; IS: 'is'; HAS: 'has'; CAP: 'cap'; WHEN: 'when'; ELSE: 'else';
EXISTS: 'exists'; NONEMPTY: 'nonempty'; EXCEPT: 'except'; FOR: 'for'; IF: 'if'; TRUE: 'true'; FALSE: 'false'; NONE: 'none';
TIER: 'tier'; DISTINCT: 'distinct';

// ---- contextual: keywords only before certain words
JUDGE: 'judge'; MENTIONED: 'mentioned'; ONE: 'one'; FRESH: 'fresh'; STOP: 'stop'; LAYER: 'layer'; CLAMP: 'clamp';
OVERWRITE: 'overwrite'; PUSH: 'push'; POP: 'pop'; SUSPEND: 'suspend'; RESUME: 'resume'; CONFIRM: 'confirm';
UNCONFIRM: 'unconfirm'; CLEAR: 'clear';

// ---- soft keywords: names wherever the grammar allows a name
EDITION: 'edition'; MODULE: 'module'; USE: 'use'; PARAM: 'param'; ENUM: 'enum'; FN: 'fn'; DETECT: 'detect';
METRIC: 'metric'; REWARD: 'reward'; TEST: 'test'; BELIEF: 'belief'; CUES: 'cues'; RENDER: 'render'; SCENARIO: 'scenario';
PHRASES: 'phrases'; FILTER: 'filter'; CONTEXT: 'context';
ON: 'on'; OF: 'of'; AS: 'as'; AT: 'at'; BY: 'by'; TO: 'to'; INTO: 'into'; WITH: 'with'; FROM: 'from';
JUDGES: 'judges'; MOST: 'most'; SUPERVISES: 'supervises'; PROMPT: 'prompt';
TRACE: 'trace'; TOOL: 'tool'; SYSTEM: 'system'; USER: 'user'; CALL: 'call'; RESULT: 'result'; REPLY: 'reply'; GOLD: 'gold';
TURN: 'turn'; CALLS: 'calls'; STALE: 'stale'; SIGNAL: 'signal'; KIND: 'kind'; MISSING: 'missing'; CHAIN: 'chain';
NEEDS: 'needs'; FAMILY: 'family'; SET: 'set'; EXPECT: 'expect';
SLOTS: 'slots'; GOAL: 'goal'; STACK: 'stack'; LAST: 'last'; QUEUE: 'queue'; OBJECTS: 'objects'; WEIGHT: 'weight';
LET: 'let'; VALUE: 'value'; INJECT: 'inject'; AFTER: 'after'; BEFORE: 'before'; WHERE: 'where'; SPLICE: 'splice';
ABANDON: 'abandon'; REFERENCE: 'reference'; REQUIRE: 'require'; PRIMARY: 'primary'; SHARE: 'share';
EVERY: 'every'; REPAIR: 'repair';
HISTORY: 'history'; ALL: 'all'; CURRENT: 'current'; TURNS: 'turns'; DRAFT: 'draft'; CARRY: 'carry'; DRAFTED: 'drafted';
COMPRESS: 'compress'; TOKENS: 'tokens'; INSTRUCT: 'instruct'; UPDATE: 'update';
WITHIN: 'within'; BYTES: 'bytes'; SHORTENING: 'shortening';

// ---- literals. A name may end in primes: k' is k after a change.
NAME: [A-Za-z_] [A-Za-z0-9_]* '\''*;
INTEGER: DIGITS;
REAL: DIGITS '.' DIGITS EXPONENT? | DIGITS EXPONENT;
PERCENT: DIGITS ('.' DIGITS)? '%';
BAD_NUMBER: [0-9] [0-9A-Za-z_]* ('.' [0-9A-Za-z_]+)*;
fragment DIGITS: [0-9] ('_'? [0-9])*;
fragment EXPONENT: [eE] [+-]? DIGITS;

LONG_TEXT: '"""' (ESCAPE | ~'\\')*? '"""';
TEXT: '"' (ESCAPE | ~["\\\r\n])* '"';
UNTERMINATED_TEXT: '"' (ESCAPE | ~["\\\r\n])* '\\'?;
fragment ESCAPE: '\\' ~[\r\n];

// ---- marks
LPAREN: '('; RPAREN: ')'; LBRACKET: '['; RBRACKET: ']'; LBRACE: '{'; RBRACE: '}';
ARROW: '->'; FAT_ARROW: '=>'; ASSIGN: '='; COLON: ':'; COMMA: ','; DOTDOT: '..'; DOT: '.'; COALESCE: '??'; QUESTION: '?';
EQUAL: '=='; NOT_EQUAL: '!='; LESS_EQUAL: '<='; GREATER_EQUAL: '>='; LESS: '<'; GREATER: '>';
PLUS: '+'; MINUS: '-'; STAR: '*'; SLASH: '/';

// ---- operators of other languages, told apart from stray characters so that the right one can be named
FOREIGN: '&&' | '||' | '!' | '<>' | '===' | '!==' | '**' | '%' | '++' | '--' | '+=' | '-=' | '&' | '|' | ':=' | '...';

COMMENT: ('////' ~[\r\n]* | '//' (~[/\r\n] ~[\r\n]*)?) -> channel(COMMENTS);
DOC: '///' ~[\r\n]* -> channel(COMMENTS);
SPACE: [ \t\r\n\u000C]+ -> skip;
STRAY: [\u0080-\u{10FFFF}]+ | .;
