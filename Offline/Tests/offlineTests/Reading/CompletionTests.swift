// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct CompletionTests {
    private func words(_ words: String...) -> [String] {
        Completion(words, variables: ["HOME": "/nowhere"]).offers.map(\.word)
    }

    @Test func commandsAndTheirActionsComeFirst() {
        #expect(words("re") == ["refresh", "resume", "retry", "rename", "remove", "reports"])
        #expect(words("--library", "x", "reports", "s") == ["show", "send"])
        #expect(words("diagnostics", "") == ["crash"])
        #expect(words("help", "coll") == ["collections"])
        #expect(words("completion", "") == ["bash", "zsh", "fish"])
        #expect(words("--h") == ["--help"])
    }

    @Test func optionsAreOfferedUntilTheyAreGiven() {
        #expect(words("get", "--co") == ["--cookies", "--cookies-from-browser"])
        #expect(words("--help", "inspect", "--q") == ["--quality"])
        #expect(words("list", "--json", "--j").isEmpty)
        #expect(words("get", "--header", "A: b", "--hea") == ["--header"])
    }

    @Test func valuesDependOnTheOptionOrTheArgumentBefore() {
        #expect(words("get", "--quality", "10") == ["1080p"])
        #expect(words("get", "--quality=10") == ["--quality=1080p"])
        // Bash divides words at the sign.
        #expect(words("get", "--quality", "=", "10") == ["1080p"])
        #expect(words("get", "--quality", "=").count == QualityChoice.usualWords.count)
        #expect(words("settings", "notify") == ["notify", "notify-on"])
        #expect(words("settings", "notify", "") == ["all", "failures"])
        #expect(words("settings", "downloads", "1").contains("16"))
        #expect(words("reports", "consent", "") == ["given", "revoked"])
        #expect(words("move", "1", "") == ["top", "up", "down", "bottom", "before"])
        #expect(words("import", "").isEmpty)
    }

    @Test func everySettingHasValuesThatTheProgramAccepts() throws {
        for key in SettingKey.allCases {
            let values = words("settings", key.rawValue, "")
            #expect(!values.isEmpty)
            for value in values { _ = try Arguments(["settings", key.rawValue, value]) }
        }
    }

    @Test(arguments: CompletionCommand.Shell.allCases)
    func aShellAsksTheProgram(_ shell: CompletionCommand.Shell) {
        #expect(CompletionCommand(shell: shell).text.contains("completion \(shell) -- "))
    }
}
