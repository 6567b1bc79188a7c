// SPDX-License-Identifier: Apache-2.0

/// The columns that a text takes in a terminal.
enum Columns {
    /// Returns the number of columns of a text without control characters.
    static func count(_ text: String) -> Int {
        text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    /// Returns the start of a text that fits into a number of columns.
    static func prefix(_ text: String, _ width: Int) -> String {
        var columns = 0
        return String(
            text.prefix { character in
                columns += isWide(character) ? 2 : 1
                return columns <= width
            }
        )
    }

    private static func isWide(_ character: Character) -> Bool {
        guard let value = character.unicodeScalars.first?.value else { return false }
        return value >= 0x1100 && !(0x2000...0x2BFF).contains(value)
    }
}
