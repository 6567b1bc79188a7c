// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import offline

/// Tests that the parser, the help, the completion and the manual agree for every declaration.
@Suite(.timeLimit(.minutes(15)))
struct CommandFormTests {
    /// The names of a form and of an option of the form, or nil for the form alone.
    struct Case: Sendable, CustomTestStringConvertible {
        let form: String
        let option: String?

        var testDescription: String { "\(form) \(option ?? "")" }

        static let all = CommandForm.all.flatMap { form in
            ([nil] + form.options.map(\.name)).map { Case(form: form.name, option: $0) }
        }
    }

    /// A form with an option and a command line that uses both.
    private struct Example {
        let form: CommandForm
        let option: Parameter?

        init(_ example: Case, alone: Bool = false) throws {
            form = try #require(CommandForm.all.first { $0.name == example.form })
            option = alone ? nil : form.options.first { $0.name == example.option }
        }

        /// The option with all options that this option needs.
        var options: [Parameter] {
            guard let option else { return [] }
            let needed = form.options.filter { $0.name == option.needs }
            // The two options of TLS need each other.
            let isOfTLS = option.name?.hasPrefix("--tls") == true
            let others = form.options.filter { isOfTLS && $0.name?.hasPrefix("--tls") == true }
            return needed + (isOfTLS ? others : [option])
        }

        var words: [String] {
            let arguments = options.contains(where: \.replacesArguments) ? [] : form.arguments
            return form.words + options.flatMap { [$0.name ?? ""] + $0.samples }
                + arguments.flatMap(\.samples)
        }
    }

    @Test(arguments: Case.all)
    func theParserKnowsEveryOption(_ given: Case) throws {
        let example = try Example(given)
        let arguments = try Arguments(example.words)
        #expect(arguments.form.name == given.form)
        let plain = try Arguments(Example(given, alone: true).words)
        #expect(given.option == nil || !isEqual(arguments.command, plain.command))
        guard let option = example.option, option.placeholder != nil else { return }
        let name = try #require(option.name)
        let error = #expect(throws: UsageError.self) { try Arguments(example.form.words + [name]) }
        #expect(error?.message == "The value of \(name) is missing. Use \(option.form).")
    }

    @Test(arguments: Case.all)
    func helpAndManualExplainEveryOption(_ given: Case) throws {
        let example = try Example(given)
        let form = example.form
        let help = HelpText.text(of: CommandForm.all.filter { $0.words[0] == form.words[0] })
        #expect(help.contains("offline \(form.synopsis)\n"))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
        let manual = ManualPage.text.replacing("\\-", with: "-")
        #expect(manual.contains(".SS offline \(form.synopsis.replacing("…", with: "..."))\n"))
        guard let option = example.option, let name = option.name else { return }
        #expect(option.help.isEmpty == option.isHidden)
        #expect(help.contains("\n  \(option.form)") == !option.isHidden)
        #expect(manual.contains(name) == !option.isHidden)
    }

    @Test(arguments: Case.all)
    func aShellOffersEveryOptionAndItsValues(_ given: Case) throws {
        let example = try Example(given)
        let offers = try words(Example(given, alone: true).words + ["-"])
        #expect(Set(offers).isSuperset(of: ["--library", "--help"]))
        guard let option = example.option, let name = option.name else { return }
        #expect(offers.contains(name) == !option.isHidden)
        guard option.placeholder != nil else { return }
        let values = words(example.form.words + [name, ""])
        #expect(words(example.form.words + ["\(name)="]) == values.map { "\(name)=\($0)" })
        for value in values {
            let others = example.options.filter { $0.name != name }
            _ = try Arguments(
                example.form.words + others.flatMap { [$0.name ?? ""] + $0.samples }
                    + [name, value] + example.form.arguments.flatMap(\.samples)
            )
        }
    }

    @Test func theOverviewNamesEveryCommandInOneLine() {
        let lines = HelpText.overview.split(separator: "\n")
        for form in CommandForm.all {
            #expect(
                lines.contains { $0.hasPrefix("  \(form.name) ") && $0.hasSuffix(form.summary) }
            )
        }
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(Set(CommandForm.all.map(\.name)).count == CommandForm.all.count)
    }

    private func isEqual<Other: Command>(_ command: any Command, _ other: Other) -> Bool {
        command as? Other == other
    }

    private func words(_ words: [String]) -> [String] {
        Completion(words, variables: ["HOME": "/nowhere"]).offers.map(\.word)
    }
}

extension Parameter {
    /// Values that the parser accepts, or none for a flag.
    fileprivate var samples: [String] {
        let special = [
            "LANG,…": "en", "FROM-TO": "2-4", "nats://HOST:PORT": "nats://a.example:4222",
            // Any regular file is sufficient, because the file is read only when the bridge
            // connects.
            "FILE": #filePath, "ADDRESS": "https://a.example/", "N": "3", "RATE": "2M",
            "sha256:…": "md5:" + String(repeating: "0", count: 32), "TIME": "90s", "VALUE": "auto",
            "'NAME: VALUE'": "A: b", "firefox[:PROFILE]": "firefox", "LANG,…|all|none": "none",
            "best|1080p|audio": "720p", "any|NAME": "any", "bash|zsh|fish": "zsh",
            "given|revoked": "given", "top|up|down|bottom|before": "before", "WAY": "nil",
            "COMMAND": "get", "NAME": name == nil ? "downloads" : "home",
        ]
        return placeholder.map { [special[$0] ?? "7"] } ?? []
    }
}
