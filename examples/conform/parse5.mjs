// The tokenizer of parse5 (JavaScript), for `speclex conform`. Needs `npm install parse5` in a folder around this file.
import { createInterface } from 'node:readline';
import { Tokenizer, TokenizerMode } from 'parse5';

function tokenize({ input, initialState, lastStartTag, cdataAllowed, chunks = [] }) {
    const tokens = [];
    const errors = [];
    const onCharacter = ({ chars }) => tokens.push(['Character', chars]);
    const attributes = ({ attrs }) => Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
    const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, {
        onCharacter, onNullCharacter: onCharacter, onWhitespaceCharacter: onCharacter,
        onStartTag: (tag) => tokens.push(['StartTag', tag.tagName, attributes(tag), ...(tag.selfClosing ? [true] : [])]),
        onEndTag: (tag) => tokens.push(['EndTag', tag.tagName]),
        onComment: ({ data }) => tokens.push(['Comment', data]),
        onDoctype: (token) => tokens.push(['DOCTYPE', token.name, token.publicId, token.systemId, !token.forceQuirks]),
        onEof() {},
        onParseError: ({ code, startLine, startCol }) => errors.push({ code, line: startLine, col: startCol }),
    });
    // "Script data state" is SCRIPT_DATA.
    tokenizer.state = TokenizerMode[initialState.replace(/ state$/, '').replaceAll(' ', '_').toUpperCase()];
    tokenizer.lastStartTagName = lastStartTag ?? '';
    tokenizer.inForeignNode = cdataAllowed;
    const bytes = Buffer.from(input);
    let from = 0;
    for (const length of chunks) {
        tokenizer.write(bytes.toString('utf8', from, from + length), false);
        from += length;
    }
    tokenizer.write(bytes.toString('utf8', from), true);
    return { tokens, errors };
}

for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    console.log(JSON.stringify({ id: request.id, ...tokenize(request) }));
}
