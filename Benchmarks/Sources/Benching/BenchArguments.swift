// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the command line.
package struct BenchMistake: Error {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

/// What the command line asks for.
package struct BenchArguments {
    package private(set) var file: String?
    package private(set) var only: String?
    package private(set) var isProfiled = false

    package init(_ words: ArraySlice<String>) throws {
        var words = words
        while let word = words.popFirst() {
            if word == "--only", let substring = words.popFirst() {
                only = substring
            } else if word == "--profile" {
                isProfiled = true
            } else if word.hasPrefix("-") || file != nil {
                throw BenchMistake(text: "usage: [FILE] [--only SUBSTRING] [--profile]")
            } else {
                file = word
            }
        }
    }
}
