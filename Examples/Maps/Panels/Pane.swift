// SPDX-License-Identifier: Apache-2.0
/// A titled area of the screen, which prints lines.
struct Pane: Sendable {
    private static let width = 12
    private let title: String

    init(_ title: String) {
        self.title = title
    }

    func show(_ lines: [String]) {
        for (number, line) in lines.enumerated() {
            let margin = number == 0 ? title : ""
            print("  " + margin + String(repeating: " ", count: Self.width - margin.count) + line)
        }
    }

    func show(_ line: String) {
        show([line])
    }
}
