// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `offline completion`: prints a script that completes commands in a shell, and the words that the
/// script offers.
struct CompletionCommand: TextCommand {
    /// A shell with completions that programs can extend.
    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    static var forms: [CommandForm] {
        Form("completion", Self(), help: "Prints a script that completes commands in a shell.")
            .details(
                """
                The script completes commands, options and their values, and the numbers of items \
                and feeds. After --, prints the words that can replace the last WORD, for which \
                the script asks.
                """
            )
            .argument(.choice("bash|zsh|fish"), into: \.shell)
            .arguments(.text("WORD"), into: \.words, isRequired: false)
    }

    var shell = Shell.bash
    /// The words of a command line after the program, up to the cursor, or none for the script.
    var words: [String] = []

    var text: String {
        guard !words.isEmpty else { return script }
        let offers = Completion(words, variables: ProcessInfo.processInfo.environment).offers
        return offers.map(line).joined(separator: "\n")
    }

    private func line(_ offer: Offer) -> String {
        let note = Terminal.clean(offer.note)
        switch shell {
        case .bash:
            return offer.word.replacing(/[^\w\-+=.,:\/@%…]/) { "\\\($0.output)" }
        case .zsh: return note.isEmpty ? offer.word : "\(offer.word)\t\(note)"
        case .fish: return "\(offer.word)\t\(note)"
        }
    }

    private var script: String {
        switch shell {
        case .bash:
            """
            _offline() {
                mapfile -t COMPREPLY < <(
                    "$1" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
                )
            }
            complete -o default -F _offline offline
            """
        case .zsh:
            """
            #compdef offline
            _offline() {
                local line
                local -a offers notes
                for line in ${(f)"$($words[1] completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
                    offers+=("${line%%$'\\t'*}")
                    notes+=("${line/$'\\t'/  -- }")
                done
                (( $#offers )) && compadd -l -d notes -a offers || _files
            }
            compdef _offline offline
            """
        case .fish:
            """
            function __offline_offers
                set -l words (commandline -opc)
                set -l last (commandline -ct)
                set -l offers ($words[1] completion fish -- $words[2..] "$last" 2>/dev/null)
                if set -q offers[1]
                    printf '%s\\n' $offers
                else
                    __fish_complete_path "$last"
                end
            end
            complete -c offline -f -a '(__offline_offers)'
            """
        }
    }
}
