// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// The text on one line, without sequences that control a terminal or hide other text.
    ///
    /// A report can come from any source, so the names and paths are untrusted.
    var forTerminal: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar.properties.isWhitespace, .lineSeparator, .paragraphSeparator:
                text.append(" ")
            case .control, .format: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
