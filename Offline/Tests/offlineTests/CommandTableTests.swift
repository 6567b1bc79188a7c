// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(5)))
struct CommandTableTests {
    private let table = CommandTable(Usage.text)

    @Test func theTableHasEveryCommandAndOptionOfTheHelp() {
        #expect(table.names.count > 12 && table.names.contains("serve"))
        let get = table.forms(of: "get")
        #expect(get.count == 1)
        #expect(get[0].options.contains("--cookies-from-browser") && get[0].options.contains("-f"))
        let common = table.commonOptions.map(\.name)
        #expect(table.words(after: "list") == ["--collection", "--json"] + common)
        #expect(table.words(after: "completion").starts(with: ["bash", "zsh", "fish"]))
        #expect(table.words(after: "reports").contains("consent"))
        #expect(
            table.commonOptions.map(\.name) == ["--library", "--sentry", "--help", "--version"]
        )
        #expect(table.commands.allSatisfy { !$0.help.isEmpty })
        #expect(table.options.allSatisfy { !$0.help.isEmpty })
        #expect(table.environment.contains("OFFLINE_DIAGNOSTICS"))
    }

    @Test func everyOptionOfAFormIsExplainedInTheHelpOfItsCommand() throws {
        let described = Set(table.options.map(\.name))
        for command in table.commands {
            let help = try #require(HelpText(command.words[0])?.text)
            for option in command.options {
                #expect(described.contains(option), "\(command.synopsis)")
                // The explanation of a long option stands below it.
                let isExplained = [" ", "\n"].contains { help.contains("\n\(option)\($0)") }
                #expect(isExplained, "\(option) of \(command.synopsis)")
            }
        }
        let inspect = table.words(after: "inspect")
        for option in ["--quality", "--audio", "--subtitles", "--header", "--live", "--json"] {
            #expect(inspect.contains(option))
        }
        let follow = table.words(after: "follow")
        #expect(follow.contains("--cookies-from-browser") && follow.contains("--referrer"))
    }

    @Test func theProgramKnowsEveryOptionOfTheTable() throws {
        let values = [
            "--port": "1", "--quality": "best", "--audio": "en", "--subtitles": "en",
            "--chapters": "2-4",
            "--header": "A: b", "--referrer": "https://a.example", "--cookies": "c.txt",
            "--cookies-from-browser": "firefox", "--proxy": "http://a.example:1",
            "--limit": "2M", "--checksum": "md5:" + String(repeating: "0", count: 32),
            "--keep": "3", "--for": "2h", "--address": "https://b.example", "--on-ready": "x",
            "-f": "x",
            "-o": "x", "--on-ready-argument": "x", "--tls-certificate": "x", "--tls-key": "x",
            "--join": "nats://a.example:4222", "--space": "home", "--on": "any",
            // Any regular file will do: it is read when the bridge connects.
            "--join-credentials": #filePath,
        ]
        let needs = [
            "--for": ["--live"], "--on-ready-argument": ["--on-ready", "x"],
            "--tls-certificate": ["--lan", "--tls-key", "x"],
            "--tls-key": ["--lan", "--tls-certificate", "x"],
            "--space": ["--join", "nats://a.example"],
            "--join-credentials": ["--join", "nats://a.example"],
        ]
        for command in table.commands {
            for option in command.options where option != "-f" {
                let words =
                    command.words + (needs[option] ?? []) + [option]
                    + (values[option].map { [$0] } ?? [])
                for end in [[], ["1"], ["https://c.example"], ["text"]] as [[String]] {
                    guard (try? Arguments(words + end)) == nil else { break }
                    #expect(end != ["text"], "\(words)")
                }
            }
        }
    }

    @Test func theProgramKnowsEveryCommandOfTheTable() {
        for command in table.commands {
            do throws(UsageError) {
                _ = try Arguments(command.words)
            } catch {
                // An argument may be missing, but the command is known.
                #expect(!error.message.contains("Unknown command"))
            }
        }
    }

    @Test(arguments: CompletionCommand.Shell.allCases)
    func aScriptNamesEveryCommand(_ shell: CompletionCommand.Shell) {
        let text = CompletionCommand(shell: shell).text
        #expect(table.names.allSatisfy(text.contains))
    }

    @Test func theHelpOfACommandHasItsFormsAndOptionsAlone() throws {
        let text = try #require(HelpText("remove")?.text)
        #expect(text.hasPrefix("offline remove NUMBER... [--with-file]\n    Removes items."))
        #expect(text.contains("--library DIR") && !text.contains("--quality"))
        let get = try #require(HelpText("get")?.text)
        #expect(get.contains("--quality best|1080p|audio\n") && !get.contains("offline remove"))
        #expect(HelpText("reports")?.text.contains("offline reports delete ID") == true)
        #expect(HelpText("nothing") == nil)
        for name in CommandTable(Usage.text).names { #expect(HelpText(name) != nil) }
    }
}
