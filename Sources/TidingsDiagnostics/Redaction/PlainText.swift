// SPDX-License-Identifier: Apache-2.0

/// A fast check, in one pass without a copy, that a text contains nothing to redact.
///
/// Most breadcrumbs are a few words. Any text that may contain part of an address, a path, a key or
/// a name with a value goes to the redactor.
enum PlainText {
    static func isPlain(_ text: String) -> Bool {
        // The iterator of a string's view takes three times as long.
        text.utf8.withContiguousStorageIfAvailable { isPlain($0) } ?? false
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Unlike an array, a static string needs no check for initialization at each use.
        let kinds = Self.kinds.utf8Start
        var run = 0
        var last: UInt8 = 0
        for byte in bytes {
            guard byte < 128 else { return false }
            let kind = kinds[Int(byte)]
            if kind == UInt8(ascii: "t") {
                run &+= 1
            } else if kind == UInt8(ascii: " ") {
                if run >= OpaqueText.shortest { return false }
                run = 0
            } else {
                if kind == UInt8(ascii: ".") { return false }
                // "Bearer" and "basic" precede a secret.
                let isFirst = last != UInt8(ascii: "t") && last != UInt8(ascii: "b")
                if kind == UInt8(ascii: "b"), isFirst { return false }
                run &+= 1
            }
            last = kind
        }
        return run < OpaqueText.shortest
    }

    /// The kind of each ASCII character.
    ///
    /// The kinds are letters and digits (`t`, and `b` for the letter B), joiners (`-`), separators
    /// (space), and characters to examine (`.`).
    private static let kinds: StaticString = """
        ................................\
         ........... - .tttttttttt......\
        .tbtttttttttttttttttttttttt....-\
        .tbtttttttttttttttttttttttt.....
        """
}
