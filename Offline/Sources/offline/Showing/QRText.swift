// SPDX-License-Identifier: Apache-2.0

/// A QR code as text for a terminal.
enum QRText {
    /// The width of the light border in modules.
    ///
    /// Readers do not find a code without the border.
    private static let border = 4

    /// Draws the modules, dark on light whatever the terminal's colors are.
    ///
    /// - Parameters:
    ///   - rows: The modules, in which `1` is dark.
    ///   - hasColors: Whether to set the colors. Without colors, the light modules are drawn, which
    ///     suits a dark terminal.
    /// - Returns: Lines that each contain two rows of modules.
    static func text(_ rows: [String], hasColors: Bool = Terminal.hasColors) -> String {
        let width = (rows.first?.count ?? 0) + 2 * border
        let empty = Array(repeating: Array(repeating: false, count: width), count: border)
        let sides = Array(repeating: false, count: border)
        var modules = empty + rows.map { sides + $0.map { $0 == "1" } + sides } + empty
        if modules.count % 2 == 1 { modules.append(Array(repeating: false, count: width)) }
        let lines = stride(from: 0, to: modules.count, by: 2).map { row in
            let line = zip(modules[row], modules[row + 1]).map { upper, lower in
                switch (upper == hasColors, lower == hasColors) {
                case (false, false): " "
                case (true, false): "\u{2580}"
                case (false, true): "\u{2584}"
                case (true, true): "\u{2588}"
                }
            }
            return hasColors ? "\u{1B}[30;107m" + line.joined() + "\u{1B}[0m" : line.joined()
        }
        return lines.joined(separator: "\n")
    }
}
