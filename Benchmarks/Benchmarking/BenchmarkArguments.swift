// SPDX-License-Identifier: Apache-2.0

/// An invalid command line.
package struct UsageError: Error {
    /// The fault, for the user.
    package let text: String

    /// Creates an error.
    package init(text: String) {
        self.text = text
    }
}

/// The arguments of the command line.
package struct BenchmarkArguments {
    /// The path of the result file, or nil to write no file.
    package private(set) var file: String?
    /// The string that titles must contain, or nil for all rows.
    package private(set) var only: String?
    /// Whether subjects run for a profiler instead of being measured.
    package private(set) var isProfiled = false

    /// Parses the arguments after the program's name.
    ///
    /// - Throws: ``UsageError``.
    package init(_ words: ArraySlice<String>) throws {
        var words = words
        while let word = words.popFirst() {
            if word == "--only", let substring = words.popFirst() {
                only = substring
            } else if word == "--profile" {
                isProfiled = true
            } else if word.hasPrefix("-") || file != nil {
                throw UsageError(text: "usage: [FILE] [--only SUBSTRING] [--profile]")
            } else {
                file = word
            }
        }
    }
}
