// SPDX-License-Identifier: Apache-2.0

/// A titled area of the screen, which prints lines.
@MainActor
final class Pane {
    private static let width = 12
    private let title: String
    private var lines: [String] = []

    init(_ title: String) {
        self.title = title
    }

    /// Prints all lines.
    func show(_ lines: [String]) {
        self.lines = lines
        write(lines)
    }

    func show(_ line: String) {
        show([line])
    }

    /// Prints the lines that have changed.
    func update(_ lines: [String]) {
        let before = Set(self.lines)
        self.lines = lines
        write(lines.filter { !before.contains($0) })
    }

    private func write(_ lines: [String]) {
        for (number, line) in lines.enumerated() {
            let margin = number == 0 ? title : ""
            print("  " + margin + String(repeating: " ", count: Self.width - margin.count) + line)
        }
    }
}
