// SPDX-License-Identifier: Apache-2.0

/// `offline completion`: prints a script that completes commands in a shell.
struct CompletionCommand: Equatable {
    /// A shell with completions that programs can extend.
    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    let shell: Shell

    func run() {
        Terminal.print(text)
    }

    /// The script.
    var text: String {
        let table = CommandTable(Usage.text)
        return switch shell {
        case .bash: Self.bash(table)
        case .zsh: Self.zsh(table)
        case .fish: Self.fish(table)
        }
    }

    private static func bash(_ table: CommandTable) -> String {
        let cases = table.names.map { name in
            "        \(name)) words='\(table.words(after: name).joined(separator: " "))' ;;"
        }
        // The word after such an option is its value.
        let skipped = table.commonOptions.filter { $0.form.contains(" ") }.map(\.name)
            .joined(separator: "|")
        return """
            _offline() {
                local command= words= i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        \(skipped)) ((i++)) ;;
                        -*) ;;
                        *) command=${COMP_WORDS[i]}; break ;;
                    esac
                done
                case $command in
                    '') words='\((table.names + table.commonOptions.map(\.name)).joined(separator: " "))' ;;
            \(cases.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
            }
            complete -o default -F _offline offline
            """
    }

    private static func zsh(_ table: CommandTable) -> String {
        let commands = table.names.map { name in
            "        \(quoted("\(name):\(table.forms(of: name)[0].help)"))"
        }
        let cases = table.names.map { name in
            "        \(name)) compadd -- \(table.words(after: name).joined(separator: " ")) ;;"
        }
        return """
            #compdef offline
            _offline() {
                local -a commands=(
            \(commands.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                case $words[2] in
            \(cases.joined(separator: "\n"))
                esac
                _files
            }
            compdef _offline offline
            """
    }

    private static func fish(_ table: CommandTable) -> String {
        let helps = Dictionary(table.options.map { ($0.name, $0.help) }) { first, _ in first }
        var lines: [String] = []
        for name in table.names {
            let help = quoted(table.forms(of: name)[0].help)
            lines.append("complete -c offline -n __fish_use_subcommand -a \(name) -d \(help)")
            for word in table.words(after: name) {
                let condition = "complete -c offline -n '__fish_seen_subcommand_from \(name)'"
                let help = helps[word].map { " -d \(quoted($0))" } ?? ""
                if word.hasPrefix("--") {
                    lines.append("\(condition) -l \(word.dropFirst(2))\(help)")
                } else if word.hasPrefix("-") {
                    lines.append("\(condition) -s \(word.dropFirst())\(help)")
                } else {
                    lines.append("\(condition) -a \(word)")
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a text as one word of a shell; both shells read it the same way.
    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "").replacing("'", with: "’"))'"
    }
}
