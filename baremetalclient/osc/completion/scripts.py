"""The command ``complete``: it prints a function for a shell, which completes ``baremetal``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import Command

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser

_BASH = """\
_baremetal() {
    local found word line=${COMP_LINE:0:COMP_POINT}
    COMPREPLY=()
    if found=$(baremetal complete --candidates bash "$line" "$COMP_WORDBREAKS" \\
        2>/dev/null </dev/null); then
        while IFS= read -r word; do
            [[ -n $word ]] && COMPREPLY+=("$word")
        done <<<"$found"
    else
        compopt -o default
    fi
}
complete -F _baremetal baremetal
"""

_ZSH = """\
#compdef baremetal
_baremetal() {
    local found
    if found=$(baremetal complete --candidates words \\
        "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null); then
        [[ -n $found ]] && compadd -- "${(@f)found}"
    else
        _files
    fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _baremetal baremetal
"""

_FISH = """\
function __baremetal_complete
    set -l words (commandline -opc)[2..-1]
    set -l current (commandline -ct | string unescape)
    if set -l found (baremetal complete --candidates words $words "$current" \\
        2>/dev/null </dev/null)
        string join \\n -- $found
    else
        __fish_complete_path "$current"
    end
end
complete -c baremetal -f -a '(__baremetal_complete)'
"""

SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


class Complete(Command):
    """Print a function for a shell that completes commands, options and names.

    ``source <(baremetal complete --shell bash)`` in ``~/.bashrc``, the same with ``zsh`` in
    ``~/.zshrc``, or ``baremetal complete --shell fish | source`` in ``config.fish``.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--shell", choices=tuple(SCRIPTS), default="bash", help="Shell, bash by default."
        )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        self.app.stdout.write(SCRIPTS[parsed_args.shell])
