
# Names of tables, and of the states of the table that `--spec` names.
_speclex_named() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
    local tokenizers="TOKENIZERS" trees="TREES" tables="" name
    case "${COMP_WORDS[1]} $prev" in
        *" --state")
            local spec="" i wanted="${cur#[\"\']}"
            for ((i = 1; i < COMP_CWORD; i++)); do
                [[ ${COMP_WORDS[i]} == --spec ]] && spec="${COMP_WORDS[i+1]}"
            done
            COMPREPLY=()
            while read -r name; do
                [[ $name == "$wanted"* ]] || continue
                # A word that begins with a quotation mark needs no more of them.
                [[ $cur == [\"\']* ]] || printf -v name %q "$name"
                COMPREPLY+=("$name")
            done < <("${COMP_WORDS[0]}" analyze --spec "$spec" --format json 2>/dev/null |
                sed -n 's/^ *"state": "\(.*\)",$/\1/p')
            return
            ;;
        tree\ --spec) tables="$tokenizers $trees" ;;
        *" --tree") tables="$trees" ;;
        *" --spec" | *" --vs") tables="$tokenizers" ;;
        check\ * | diff\ *) [[ $prev != --* && $cur != -* ]] && tables="$tokenizers $trees" ;;
    esac
    if [[ -z $tables ]]; then
        _speclex "$@"
        return
    fi
    compopt -o filenames 2>/dev/null
    COMPREPLY=()
    while read -r name; do
        COMPREPLY+=("$name")
    done < <(compgen -W "$tables" -- "$cur"; compgen -f -- "$cur")
}
complete -F _speclex_named -o bashdefault -o default speclex
