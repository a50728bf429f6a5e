"""Completion of the command's words in bash, zsh and fish, written out from its own parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from roofline_app import registry
from roofline_app.export import FURTHER

PROGRAM = "roofline_app"
# Words of arguments whose parser leaves the refusal of others to the command.
_WORDS: Mapping[str, Callable[[], tuple[str, ...]]] = MappingProxyType(
    {"engine": registry.engine_ids, "further": lambda: tuple(FURTHER)}
)
_FILES = frozenset({"FILE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """An option, or an argument without one.

    Attributes:
        names: What starts it; empty for an argument.
        says: Its help.
        values: Words that may follow, or be it.
        takes: Whether a value follows.
        is_file: Whether the value is a file.
    """

    names: tuple[str, ...]
    says: str
    values: tuple[str, ...]
    takes: bool
    is_file: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """A verb with its words."""

    name: str
    says: str
    words: tuple[Word, ...]

    @property
    def options(self) -> tuple[Word, ...]:
        """Those that start with dashes."""
        return tuple(word for word in self.words if word.names)

    @property
    def arguments(self) -> tuple[Word, ...]:
        """Those that stand by themselves."""
        return tuple(word for word in self.words if not word.names)


def verbs_of(parser: argparse.ArgumentParser) -> tuple[Verb, ...]:
    """Return the verbs of a parser, in its order."""
    (choice,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    says = {action.dest: action.help or "" for action in choice._choices_actions}
    return tuple(
        Verb(name=name, says=says[name], words=tuple(map(_word, one._actions))) for name, one in choice.choices.items()
    )


def _word(action: argparse.Action) -> Word:
    known = _WORDS.get(action.dest)
    values = tuple(map(str, action.choices or (known() if known else ())))
    says = " ".join((action.help or "").split())
    is_file = action.metavar in _FILES
    return Word(names=tuple(action.option_strings), says=says, values=values, takes=action.nargs != 0, is_file=is_file)


def _every_option(all_verbs: tuple[Verb, ...]) -> Iterator[tuple[Verb, Word, str]]:
    for verb in all_verbs:
        for word in verb.options:
            for name in word.names:
                yield verb, word, name


def bash(all_verbs: tuple[Verb, ...]) -> str:
    """Return a script for bash that completes verbs, options, their values and files."""
    after = [
        f'    "{verb.name} {name}") {_bash_values(word)} ;;'
        for verb, word, name in _every_option(all_verbs)
        if word.takes
    ]
    by_verb = [
        f'    {verb.name}) words="{" ".join(name for word in verb.options for name in word.names)}"'
        f' values="{" ".join(value for word in verb.arguments for value in word.values)}"'
        f" files={int(any(word.is_file for word in verb.arguments))} ;;"
        for verb in all_verbs
    ]
    return _BASH.format(
        program=PROGRAM,
        verbs=" ".join(verb.name for verb in all_verbs),
        after="\n".join(after),
        by_verb="\n".join(by_verb),
    )


def _bash_values(word: Word) -> str:
    return f"_{PROGRAM}_files; return" if word.is_file else f'values="{" ".join(word.values)}"; fixed=1'


_BASH = """\
# Completion of {program} for bash: eval "$({program} completion bash)"
_{program}_files() {{
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$current"))
  compopt -o filenames 2> /dev/null
}}
_{program}() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words="" values="" files=0 fixed=0
  COMPREPLY=()
  # --format=csv comes as three words.
  [[ $before == "=" ]] && before="${{COMP_WORDS[COMP_CWORD-2]}}"
  [[ $current == "=" ]] && current=""
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{verbs} --help" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{by_verb}
  esac
  [[ $current == -* ]] && values="$words" files=0
  case "${{COMP_WORDS[1]}} $before" in
{after}
  esac
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  ((files && !fixed)) && _{program}_files
  return 0
}}
complete -F _{program} {program}"""


def zsh(all_verbs: tuple[Verb, ...]) -> str:
    """Return a script for zsh, which says what each word does."""
    listed = [f"    {_quoted(f'{verb.name}:{verb.says}')}" for verb in all_verbs]
    by_verb = []
    for verb in all_verbs:
        parts = [_quoted(_zsh_option(name, word)) for _, word, name in _every_option((verb,))]
        parts += [_quoted(f"*:{word.says.replace(':', ' ')}:{_zsh_values(word)}") for word in verb.arguments]
        by_verb.append(f"      {verb.name}) _arguments {' '.join(parts)} ;;")
    return _ZSH.format(program=PROGRAM, verbs="\n".join(listed), by_verb="\n".join(by_verb))


def _zsh_option(name: str, word: Word) -> str:
    says = word.says.replace("[", "(").replace("]", ")").replace(":", " ")
    return f"{name}[{says}]" + (f": :{_zsh_values(word)}" if word.takes else "")


def _zsh_values(word: Word) -> str:
    return "_files" if word.is_file else f"({' '.join(word.values)})" if word.values else " "


_ZSH = """\
#compdef {program}
# Completion of {program} for zsh: eval "$({program} completion zsh)", after compinit
_{program}() {{
  local -a verbs
  verbs=(
{verbs}
  )
  local state line
  _arguments -C '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe verb verbs ;;
    rest) case $line[1] in
{by_verb}
    esac ;;
  esac
}}
compdef _{program} {program}"""


def fish(all_verbs: tuple[Verb, ...]) -> str:
    """Return a script for fish, which says what each word does."""
    lines = [f"# Completion of {PROGRAM} for fish: {PROGRAM} completion fish | source", f"complete -c {PROGRAM} -f"]
    lines += [
        f"complete -c {PROGRAM} -n __fish_use_subcommand -a {verb.name} -d {_quoted(verb.says)}" for verb in all_verbs
    ]
    for verb in all_verbs:
        lines += [f"{_fish_start(verb)} {_fish_option(word)}" for word in verb.options]
        lines += [f"{_fish_start(verb)} {_fish_values(word)}" for word in verb.arguments if word.values or word.is_file]
    return "\n".join(lines)


def _fish_start(verb: Verb) -> str:
    return f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from {verb.name}'"


def _fish_option(word: Word) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in word.names]
    more = f" {'-r' if word.is_file else '-x'} {_fish_values(word)}".rstrip() if word.takes else ""
    return f"{' '.join(names)} -d {_quoted(word.says)}{more}"


def _fish_values(word: Word) -> str:
    return "-F" if word.is_file else f"-a {_quoted(' '.join(word.values))}" if word.values else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "").replace("'", "’") + "'"


SHELLS: Mapping[str, Callable[[tuple[Verb, ...]], str]] = MappingProxyType({"bash": bash, "zsh": zsh, "fish": fish})
