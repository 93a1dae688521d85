// SPDX-License-Identifier: Apache-2.0
/// A shell that completes command lines.
enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
  case fish
}

extension Shell {
  /// The script that makes the shell complete the program's command lines.
  ///
  /// It asks the program for completions, so that it need not list the options, and a shell has little to read at its
  /// start.
  var completionScript: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
    # Completions of rawaudio for bash. The program itself tells how a word may go on.

    _rawaudio() {
      local text=$2 rest=${COMP_LINE:0:COMP_POINT} gap word index kind offer about found begun=0
      local -a words=()
      # Joins the words that bash splits at = and :.
      for ((index = 0; index <= COMP_CWORD; index++)); do
        gap=${rest%%[![:space:]]*}
        rest=${rest#"$gap"}
        word=${COMP_WORDS[index]}
        ((index < COMP_CWORD)) || word=$rest
        if [[ -n $gap || $index == 0 ]]; then words+=("$word"); else words[-1]+=$word; fi
        rest=${rest#"$word"}
      done
      # Only this part of the word is replaced.
      local kept=${words[-1]%"$text"}
      for index in "${!words[@]}"; do
        word=${words[index]}
        case $word in
          \'*) word=${word#\'}; words[index]=${word%\'} ;;
          \"*) word=${word#\"}; words[index]=${word%\"} ;;
          *) words[index]=${word//\\/} ;;
        esac
      done
      # An open quotation mark is not replaced.
      kept=${kept#[\'\"]}
      COMPREPLY=()
      while IFS=$'\t' read -r kind offer about; do
        case $kind in
          word) COMPREPLY+=("${offer#"$kept"}") ;;
          beginning) COMPREPLY+=("${offer#"$kept"}"); begun=1 ;;
          path)
            compopt -o filenames 2>/dev/null
            while IFS= read -r found; do
              found=$offer$found
              COMPREPLY+=("${found#"$kept"}")
            done < <(compgen -f -- "${words[-1]#"$offer"}")
            ;;
        esac
      done < <("${words[0]/#\~\//$HOME/}" --complete "${words[@]:1}" 2>/dev/null)
      # bash appends text only to a single candidate.
      if ((${#COMPREPLY[@]} == 1 && begun)); then compopt +o filenames -o nospace 2>/dev/null; fi
    }

    complete -F _rawaudio rawaudio

    """#

  private static let zshScript = #"""
    #compdef rawaudio
    # Completions of rawaudio for zsh. The program itself tells how a word may go on.

    _rawaudio() {
      local line kind offer about start result=1
      local -a before fields words_ shown begun begunShown paths
      before=("${(@Q)words[2,CURRENT-1]}")
      ((CURRENT > 2)) || before=()
      for line in "${(@f)$(_call_program offers ${words[1]} --complete "${(@qq)before}" "${(qq)${(Q)PREFIX}}" 2>/dev/null)}"; do
        fields=("${(@ps:\t:)line}")
        kind=$fields[1] offer=$fields[2] about=$fields[3]
        case $kind in
          (word) words_+=("$offer"); shown+=("$offer${about:+  -- $about}") ;;
          (beginning) begun+=("$offer"); begunShown+=("$offer${about:+  -- $about}") ;;
          (path) paths+=("$offer") ;;
        esac
      done
      local -a lines=()
      [[ "$shown $begunShown" != *'  -- '* ]] || lines=(-l)
      (($#words_)) && compadd -V rawaudio $lines -d shown -a words_ && result=0
      (($#begun)) && compadd -V rawaudio -S '' $lines -d begunShown -a begun && result=0
      for start in "$paths[@]"; do
        IPREFIX+=$start
        PREFIX=${PREFIX#$start}
        _files && result=0
      done
      return result
    }

    # zsh either runs this file as a function, or it was sourced.
    if [[ $funcstack[1] == _rawaudio ]]; then
      _rawaudio "$@"
    else
      compdef _rawaudio rawaudio
    fi

    """#

  private static let fishScript = #"""
    # Completions of rawaudio for fish. The program itself tells how a word may go on.

    function __rawaudio_offers
        set --local words (commandline --current-process --tokenize --cut-at-cursor)
        set --local current (commandline --current-token --cut-at-cursor)
        if string match --quiet --regex '^[\'"]' -- "$current"
            set current (string sub --start 2 -- $current)
        else
            set current (string unescape -- "$current")
        end
        set --local program (string replace --regex '^~/' "$HOME/" -- $words[1])
        for line in (command $program --complete $words[2..-1] "$current" 2>/dev/null)
            set --local fields (string split \t -- $line)
            if test $fields[1] = path
                set --local part (string replace -- "$fields[2]" '' "$current")
                for found in (__fish_complete_path "$part")
                    printf '%s\n' "$fields[2]$found"
                end
            else
                string join \t -- $fields[2..3]
            end
        end
    end

    complete --command rawaudio --no-files --keep-order --arguments '(__rawaudio_offers)'

    """#
}
