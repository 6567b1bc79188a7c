// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct TerminalTests {
    @Test(arguments: [
        ("one\n2  ready  forged", "one 2  ready  forged"),
        ("one\r\ntwo\u{2028}three\u{85}four", "one two three four"),
        ("\u{1B}[31mred\u{202E}\t", "[31mred"),
    ])
    func aTextStaysOnItsLine(text: String, clean: String) {
        #expect(Terminal.clean(text) == clean)
    }

    @Test func aUsageErrorNamesTheHelpOnALineOfItsOwn() {
        let text = ExitStatus.explanation(of: UsageError("Unknown\ncommand."))
        #expect(text == "offline: Unknown command.\nTry: offline help")
    }

    @Test func aCodeWithoutColorsDrawsItsLightModules() {
        let rows = ["10", "01"]
        let plain = QRText.text(rows, hasColors: false).split(separator: "\n")
        #expect(plain.count == 5 && plain[2] == "████▄▀████")
        let colored = QRText.text(rows, hasColors: true).split(separator: "\n")
        #expect(colored[2] == "\u{1B}[30;107m    ▀▄    \u{1B}[0m")
    }
}
